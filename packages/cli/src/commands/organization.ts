import type { Organization, Usage } from '@purser/sdk'
import type { Command } from 'commander'
import {
  type ChangeOptions,
  callOptions,
  type GatewayOptions,
  onGateway,
  withChange,
  withGateway,
} from '../api/gateway-command.ts'
import { toPage } from '../output/page.ts'
import { print, printJson } from '../output/print.ts'

interface FreezeOptions extends ChangeOptions {
  readonly reason?: string
}

/** `purser freeze`: from this moment, no spend of the organization is approved. */
export function freeze(command: Command): void {
  addFreezing(command, true, 'purser freeze --reason "Leaked key"')
}

/** `purser resume`: ends a freeze. */
export function resume(command: Command): void {
  addFreezing(command, false, 'purser resume --reason "Key revoked"')
}

function addFreezing(command: Command, frozen: boolean, example: string): void {
  withChange(command, { scope: 'organization:write', example })
    .option('--reason <text>', 'the reason; the change record keeps it')
    .action(
      onGateway(async ({ purser }, options: FreezeOptions) => {
        const { reason, json } = options
        const answer = await purser.organization.update({ frozen, reason }, callOptions(options))
        if (json) printJson(answer)
        else print(toText(answer))
      }),
    )
}

function toText({ name, frozen, frozenAt }: Organization): string[] {
  return toPage([
    ['organization', name],
    ['status', frozen ? 'frozen: the gateway rejects every spend' : 'not frozen'],
    ['since', frozenAt],
  ])
}

/** `purser usage`: the use of the plan in this month. */
export function usage(command: Command): void {
  withGateway(command, { scope: 'organization:read', example: 'purser usage --json' }).action(
    onGateway(async ({ purser }, { json }: GatewayOptions) => {
      const answer = await purser.organization.usage()
      if (json) printJson(answer)
      else print(toUsagePage(answer))
    }),
  )
}

function toUsagePage(usage: Usage): string[] {
  const of = ({ used, limit }: Usage['evaluations']): string =>
    limit === null ? `${used}, without a limit` : `${used} of ${limit}`
  const { limit } = usage.requestsPerMinute
  return toPage([
    ['plan', usage.plan],
    ['evaluations', of(usage.evaluations)],
    ['agents', of(usage.agents)],
    ['requests per minute', limit === null ? 'without a limit' : `at most ${limit}`],
    ['since', usage.periodStart],
    ['resets at', usage.resetsAt],
  ])
}
