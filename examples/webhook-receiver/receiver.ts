import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expressWebhook, type WebhookEvent } from '@purser/sdk/webhooks'

/**
 * Receives webhooks on this machine. The handler verifies the signature of each request, and answers
 * 401 to all others. If `handle` throws, the gateway sends the event again later.
 */
export async function startReceiver(
  secret: string,
  handle: (event: WebhookEvent) => void,
): Promise<{ url: string; server: Server }> {
  // The gateway delivers each event at least once. A real program keeps these ids in its database,
  // in the transaction that also handles the event.
  const processed = new Set<string>()
  const onEvent = (event: WebhookEvent): void => {
    if (processed.has(event.id)) return
    handle(event)
    processed.add(event.id)
  }
  const server = createServer(expressWebhook({ secret, onEvent }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, server }
}
