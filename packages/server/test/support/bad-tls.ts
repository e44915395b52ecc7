import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCertificate } from './certificate.ts'

/** A receiver with an untrusted certificate. Requests must never reach it. */
export interface UntrustedReceiver {
  readonly url: string
  readonly requests: number
  close(): Promise<void>
}

export async function startUntrustedReceiver(): Promise<UntrustedReceiver> {
  let requests = 0
  const server = createServer(createCertificate(), (_request, response) => {
    requests += 1
    response.end()
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/hook`,
    get requests() {
      return requests
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
