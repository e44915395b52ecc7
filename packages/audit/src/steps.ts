import type { Bytes } from './bytes.ts'

/** SHA-256, which the caller passes in: this package imports none. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** An Ed25519 signature to verify. */
export interface SignatureCheck {
  /** The 32 bytes of the key. */
  readonly publicKey: Bytes
  readonly message: Bytes
  readonly signature: Bytes
}

/** Ed25519 verification (RFC 8032), which the caller passes in. */
export type VerifySignature = (check: SignatureCheck) => boolean

/**
 * A computation that leaves its cryptography to the caller: it yields each question (bytes to hash,
 * a signature to verify) and receives the answer. Node answers synchronously and a browser with a
 * promise, so the logic between the questions is written once for both.
 */
export type Steps<Question, Answer, Result> = Generator<Question, Result, Answer>

export type HashSteps<Result> = Steps<Bytes, Uint8Array, Result>
export type SignatureSteps<Result> = Steps<SignatureCheck, boolean, Result>

/**
 * Runs the steps with synchronous answers, such as those of `node:crypto`. Throws a TypeError for a
 * promise, because a program in plain JavaScript could pass in an asynchronous function.
 */
export function runSteps<Question, Answer, Result>(
  steps: Steps<Question, Answer, Result>,
  answer: (question: Question) => Answer,
): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(refusePromise(answer(step.value)))
  return step.value
}

function refusePromise<Answer>(answer: Answer): Answer {
  if (typeof answer === 'object' && answer !== null && 'then' in answer) {
    throw new TypeError('The answer is a promise: use runStepsAsync.')
  }
  return answer
}

/**
 * Runs the steps with asynchronous answers, such as those of `crypto.subtle`.
 *
 * @example
 * const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
 * const isIncluded = await runStepsAsync(inclusionSteps(claim), sha256)
 */
export async function runStepsAsync<Question, Answer, Result>(
  steps: Steps<Question, Answer, Result>,
  answer: (question: Question) => Answer | Promise<Answer>,
): Promise<Result> {
  let step = steps.next()
  while (!step.done) step = steps.next(await answer(step.value))
  return step.value
}
