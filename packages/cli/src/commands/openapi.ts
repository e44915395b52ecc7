import type { Command } from 'commander'
import { type CredentialOptions, gatewayUrl } from '../api/credentials.ts'
import { URL_OPTION, withExample } from '../api/gateway-command.ts'
import { readProblem } from '../api/read-problem.ts'
import { EXIT, exitWith } from '../exit.ts'
import { describeFailure } from '../listen/network-failure.ts'
import { toJson } from '../output/plain.ts'
import { tell } from '../output/print.ts'
import { sendRequest } from '../send-request.ts'

interface OpenapiOptions extends CredentialOptions {
  readonly json?: true
}

const WITHIN_MS = 30_000

/** `purser openapi`: prints the OpenAPI document of a gateway. It needs no key. */
export function openapi(command: Command): void {
  command.option(...URL_OPTION).option('--json', 'the same: the document is JSON')
  command.action(async (options: OpenapiOptions) => {
    const url = gatewayUrl(options, command)
    const signal = AbortSignal.timeout(WITHIN_MS)
    const headers = { accept: 'application/json' }
    const request = { method: 'GET', headers, signal } as const
    const answer = await sendRequest(`${url}/openapi.json`, request).catch((error: unknown) => {
      throw new Error(`No answer from ${url}: ${describeFailure(error)}. Is the gateway running?`)
    })
    const problem = options.json && answer.status !== 200 ? readProblem(answer.text) : undefined
    if (problem !== undefined) {
      tell(toJson(problem))
      exitWith(EXIT.failure)
    }
    if (answer.status !== 200 || !answer.text.startsWith('{')) {
      throw new Error(`${url} answered ${answer.status}. Is it the address of a Purser gateway?`)
    }
    process.stdout.write(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`)
  })
  withExample(command, 'purser openapi > openapi.json')
}
