import { nodeRequest } from '../node-request.ts'
import { describeFailure } from './network-failure.ts'

/** The result of a post, and its duration. */
export type PostResult = { readonly durationMs: number } & (
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'failure'; readonly reason: string }
)

/** The time limit of webhooks. */
const TIMEOUT_MS = 5_000

/**
 * Posts to the local receiver, once, like a webhook: follows no redirect, and sends only the
 * headers of a webhook. (fetch would add headers and refuse some ports.)
 */
export function postEvent(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<PostResult> {
  const request = nodeRequest(url)
  const began = performance.now()
  return new Promise((resolve) => {
    let status: number | undefined
    const end = (reason: string): void => {
      const durationMs = Math.round(performance.now() - began)
      // A truncated answer does not matter, because its status has arrived.
      if (status !== undefined) resolve({ kind: 'answer', status, durationMs })
      else resolve({ kind: 'failure', reason, durationMs })
    }
    const deadline = AbortSignal.timeout(TIMEOUT_MS)
    // Use a new connection for each request: a receiver that restarts would have closed a kept one.
    const call = request(url, { method: 'POST', headers, agent: false, signal: deadline })
    call.once('response', (response) => {
      status = response.statusCode
      response.once('error', () => {}).once('close', () => end('connection closed'))
      response.resume()
    })
    call.on('error', (error) => {
      end(deadline.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : describeFailure(error))
    })
    call.end(body)
  })
}
