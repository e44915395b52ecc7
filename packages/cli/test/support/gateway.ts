import { afterAll, beforeAll } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { callPurser } from './in-process.ts'

/** The result of a command. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly told: string
}

/** A real gateway that listens, and an organization whose key the commands use. */
export interface SharedGateway {
  app(): TestApp
  acme(): Owner
  url(): string
  env(): Readonly<Record<string, string>>
  run(...args: readonly string[]): Promise<Ran>
  /** Runs a command with a text on standard input. */
  runWith(stdin: string, ...args: readonly string[]): Promise<Ran>
  /** Runs a command with `--json`, and parses its output. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads only the fields that it expects.
  json(...args: readonly string[]): Promise<any>
}

/** One gateway that the tests of a file share. */
export function shareGateway(): SharedGateway {
  let app: TestApp
  let acme: Owner
  let url: string
  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.stop())
  const env = () => ({ PURSER_BASE_URL: url, PURSER_API_KEY: acme.apiKey })
  const runWith = async (stdin: string, ...args: readonly string[]): Promise<Ran> => {
    const { lines, told, exited } = await callPurser(args, env(), { stdin })
    return { code: await exited(), out: lines.join('\n'), told: told.join('\n') }
  }
  const run = (...args: readonly string[]) => runWith('', ...args)
  return {
    app: () => app,
    acme: () => acme,
    url: () => url,
    env,
    run,
    runWith,
    json: async (...args) => JSON.parse((await run(...args, '--json')).out),
  }
}
