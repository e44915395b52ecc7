import { PurserError } from '@purser/sdk'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from '../ui/toast.tsx'
import { withProof } from './ask-again.ts'
import { newKey } from './new-key.ts'

interface Action<Input, Answer> {
  /** Sends the request. The same key makes a repetition harmless. */
  readonly run: (input: Input, options: { readonly idempotencyKey: string }) => Promise<Answer>
  /** The action as a sentence, for the dialog that asks for the password: "Resume all spending". */
  readonly sentence: string | ((input: Input) => string)
  /** The lists and objects that the action changes. */
  readonly touches?: readonly QueryKey[]
  /** Confirms success in a toast. */
  readonly done?: (answer: Answer, input: Input) => string | undefined
  readonly onDone?: (answer: Answer, input: Input) => void
}

export interface RunningAction<Input, Answer> {
  /** Starts the action. Resolves with the answer, or with undefined after an error. */
  readonly start: (input: Input) => Promise<Answer | undefined>
  readonly isBusy: boolean
  readonly error: PurserError | null
  readonly reset: () => void
}

/**
 * A change that a person makes. A second press while the first runs does nothing. After a lost
 * connection the next press repeats the request under the same key, so that it takes effect once.
 */
export function useAction<Input, Answer>(
  action: Action<Input, Answer>,
): RunningAction<Input, Answer> {
  const client = useQueryClient()
  const keys = useRef(new Map<string, string>())
  /** The start that runs. A state would be too late: it changes only when the page is drawn. */
  const running = useRef<symbol | null>(null)
  const mutation = useMutation({
    // An answer can hold a key and an input a password, so neither outlives its component.
    gcTime: 0,
    mutationFn: (input: Input) => {
      const shape = JSON.stringify(input) ?? ''
      const idempotencyKey = keys.current.get(shape) ?? newKey()
      keys.current.set(shape, idempotencyKey)
      const { sentence } = action
      return withProof(
        () => action.run(input, { idempotencyKey }),
        typeof sentence === 'function' ? sentence(input) : sentence,
      )
    },
    onError: (error) => {
      // After an answer of the gateway, the next press is a new request.
      if (!(PurserError.is(error) && error.outcomeUnknown)) keys.current.clear()
    },
    onSuccess: async (answer, input) => {
      keys.current.clear()
      // The request has its answer, so `onDone` may start the next one.
      running.current = null
      const text = action.done?.(answer, input)
      if (text !== undefined) toast(text)
      action.onDone?.(answer, input)
      await Promise.all(
        (action.touches ?? []).map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
  })
  return {
    start: async (input) => {
      if (running.current) return undefined
      const mine = Symbol('start')
      running.current = mine
      try {
        return await mutation.mutateAsync(input)
      } catch {
        return undefined
      } finally {
        if (running.current === mine) running.current = null
      }
    },
    isBusy: mutation.isPending,
    error: asPurserError(mutation.error),
    reset: mutation.reset,
  }
}

/** Every failure as an error that a page can show. */
export function asPurserError(error: unknown): PurserError | null {
  if (error === null || error === undefined) return null
  if (PurserError.is(error)) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new PurserError(`The page failed: ${detail}`, { code: 'page_failed', cause: error })
}
