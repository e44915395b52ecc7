import { PurserError } from '@purser/sdk'

/** A question that interrupts an action: sign in again, or prove that it is still you. */
export interface Question {
  readonly kind: 'session' | 'password'
  /** The action that the person began, as a sentence. */
  readonly action: string | null
  /** Called with false if the person gives up. */
  readonly answer: (isProven: boolean) => void
}

type Listener = () => void

let asked: Question | null = null
const listeners = new Set<Listener>()
let waiting: Promise<boolean> | null = null

/** The question that the page shows now. */
export function readQuestion(): Question | null {
  return asked
}

export function watchQuestion(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Gives up an open question, when the page that asked is left. */
export function dropQuestion(): void {
  asked?.answer(false)
}

/** Asks the person once, however many requests were refused, and resolves with the outcome. */
export function askAgain(kind: Question['kind'], action: string | null): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    show({ kind, action, answer: resolve })
  }).finally(() => {
    waiting = null
    show(null)
  })
  return waiting
}

/**
 * Runs a request. If the gateway refuses it because the session has ended or the password is too
 * old, the person is asked, and the same request runs again.
 */
export async function withProof<T>(run: () => Promise<T>, action: string | null): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      const kind = neededProof(error)
      if (!kind || !(await askAgain(kind, action))) throw error
    }
  }
}

export function neededProof(error: unknown): Question['kind'] | undefined {
  if (!PurserError.is(error)) return undefined
  if (error.code === 'unauthenticated') return 'session'
  return error.code === 'reauthentication_required' ? 'password' : undefined
}

function show(question: Question | null): void {
  asked = question
  for (const listener of listeners) listener()
}
