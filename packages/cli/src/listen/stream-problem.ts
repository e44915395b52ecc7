import { AuthenticationError, PurserError } from '@purser/sdk'
import { describeFailure } from './network-failure.ts'

/** Describes in a few words why a connection ended. Null: the gateway ended it. */
export function describeEnd(error: PurserError | null): string {
  if (error === null) return 'it ended the stream'
  if (error.status !== null) return `it answered ${error.status}`
  if (error.code === 'attempt_timeout') return 'it did not answer in time'
  return describeFailure(error.cause)
}

/** Returns the error of a stream that no retry can open, with the next step for the user. */
export function toRefusal(error: unknown, url: string): unknown {
  if (!PurserError.is(error) || error.status === null) return error
  const { status, problem, detail } = error
  if (problem === null) {
    return new Error(
      `${url} answered ${status} without events. Is it the address of a Purser gateway? Set it with --url or PURSER_BASE_URL.`,
    )
  }
  if (error instanceof AuthenticationError) {
    return new Error(
      `The gateway at ${url} refuses the API key: it is mistyped, expired or revoked. Set PURSER_API_KEY, or run "purser login" again.`,
    )
  }
  return new Error(`The gateway at ${url} refused the request (${status}). ${detail}`)
}
