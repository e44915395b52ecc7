import { describeFailure } from '../listen/network-failure.ts'
import { sendRequest } from '../send-request.ts'

/** The answer, or the failure, within the issuer's time limit. */
export type Asked = { readonly durationMs: number } & (
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'failure'; readonly reason: string; readonly isLate: boolean }
)

/** Posts once, and waits no longer than the issuer would. */
export async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  waitMs: number,
): Promise<Asked> {
  const began = performance.now()
  const signal = AbortSignal.timeout(waitMs)
  try {
    const answer = await sendRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      signal,
    })
    return { kind: 'answer', status: answer.status, body: answer.text, durationMs: since(began) }
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${waitMs / 1_000} s` : describeFailure(error)
    return { kind: 'failure', reason, isLate: signal.aborted, durationMs: since(began) }
  }
}

function since(began: number): number {
  return Math.round(performance.now() - began)
}
