import type { Readable, Writable } from 'node:stream'
import { Purser } from '@purser/sdk'
import { StdioServerTransport, serveStdio } from './mcp-libraries.ts'
import { type Connection, readAccess } from './read-access.ts'
import { createServer } from './server.ts'

export type { Connection } from './read-access.ts'

interface StdioOptions {
  readonly version: string
  readonly input: Readable
  readonly output: Writable
  readonly progressMs?: number
}

/**
 * Serves one client over stdio, and calls the gateway over HTTP. Resolves when the client has closed
 * its side. Only messages of the protocol are written to the output.
 */
export async function serveOverStdio(
  connection: Connection,
  { version, input, output, progressMs }: StdioOptions,
): Promise<void> {
  const purser = new Purser({ ...connection })
  const access = await readAccess(connection, version)
  const session = { purser, access, version, progressMs }
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve())
  })
  const handle = serveStdio(() => createServer(session), {
    transport: new StdioServerTransport(input, output),
  })
  await closed
  await handle.close()
}
