import type { Introspection } from '@purser/sdk'
import type { Command } from 'commander'
import { wholeNumber } from '../api/arguments.ts'
import { AGENT_OPTION, findAgentId } from '../api/find-agent.ts'
import {
  type ChangeOptions,
  callOptions,
  type Gateway,
  type GatewayOptions,
  onGateway,
  withChange,
  withGateway,
} from '../api/gateway-command.ts'
import { EXIT, exitWith } from '../exit.ts'
import { toAmountText, toMoneyText } from '../output/money.ts'
import { toPage } from '../output/page.ts'
import { print, printJson, tell } from '../output/print.ts'

interface IssueOptions extends GatewayOptions {
  readonly agent?: string
  readonly audience?: string
  readonly ttl?: number
}

interface RevokeOptions extends ChangeOptions {
  readonly jti?: string
  readonly mandate?: string
  readonly agent?: string
}

/** `purser tokens …`: issues, checks and revokes mandate tokens. */
export function tokens(group: Command): void {
  withGateway(group.command('issue'), {
    scope: 'gateway:read',
    example: 'purser tokens issue --agent buyer-1 --audience https://shop.example',
    notes: 'Standard output has only the token.',
  })
    .description('issue a mandate token for an agent')
    .option(...AGENT_OPTION)
    .option('--audience <origin>', 'recipient that may read the token')
    .option('--ttl <seconds>', 'how long the token is valid', wholeNumber(1, 86_400))
    .action(onGateway(issue))
  withGateway(group.command('introspect'), {
    scope: 'gateway:read',
    example: 'purser tokens introspect < token.txt',
    notes: `Reads the token from standard input, because the history of the shell would keep
it.
Exit codes: 0 the token is active, 3 it is not.`,
  })
    .description('check a mandate token')
    .action(onGateway(introspect))
  withChange(group.command('revoke'), {
    scope: 'gateway:write',
    example: 'purser tokens revoke --agent buyer-1',
  })
    .description('revoke one token, or all tokens of a mandate or an agent')
    .option('--jti <id>', 'id of the token (jti)')
    .option('--mandate <id>', 'all tokens of this mandate')
    .option('--agent <agent>', 'all tokens of this agent, by its id, externalId or name')
    .action(onGateway(revoke))
}

async function issue(gateway: Gateway, options: IssueOptions): Promise<void> {
  const { audience, ttl, json } = options
  const agentId = await findAgentId(gateway, options.agent)
  const answer = await gateway.purser.mandateTokens.get({ agentId, audience, ttl })
  if (json) return printJson(answer)
  print(answer.token)
  tell(`Token ${answer.jti} for ${answer.audience}, valid until ${answer.expiresAt}.`)
}

async function introspect({ purser, command }: Gateway, options: GatewayOptions): Promise<void> {
  const { readSecret } = await import('../api/read-secret.ts')
  const token = await readSecret('Token: ')
  if (token === '') command.error('error: no token: send it to standard input')
  const answer = await purser.mandateTokens.introspect({ token })
  if (options.json) printJson(answer)
  else print(toTokenPage(answer))
  if (!answer.active) exitWith(EXIT.rejected)
}

function toTokenPage(answer: Introspection): string[] {
  if (!answer.active) return ['The token is not active.']
  const { budget, claims } = answer
  return [
    'The token is active.',
    ...toPage([
      ...Object.entries(claims).map(
        ([name, value]) =>
          [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
      ),
      [
        'remaining budget',
        `${toAmountText(budget.remaining, budget.currency)} of ${toMoneyText(budget.limit, budget.currency)}`,
      ],
    ]),
  ]
}

async function revoke(gateway: Gateway, options: RevokeOptions): Promise<void> {
  const { jti, mandate: mandateId, agent, json } = options
  const named = [jti, mandateId, agent].filter((one) => one !== undefined)
  if (named.length !== 1) {
    gateway.command.error('error: name one of --jti, --mandate and --agent')
  }
  const agentId = await findAgentId(gateway, agent)
  const input = { jti, mandateId, agentId }
  const answer = await gateway.purser.mandateTokens.revoke(input, callOptions(options))
  if (json) printJson(answer)
  else print(`Revoked: tokens from before ${answer.revokedAt} are no longer valid.`)
}
