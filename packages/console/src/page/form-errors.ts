import type { PurserError } from '@purser/sdk'
import { type RefObject, useEffect, useState } from 'react'

/** The first sentence about a field or something inside it, by its JSON pointer: `/x402Payees`. */
export function errorUnder(error: PurserError | null, path: string): string | undefined {
  return error?.errors.find((one) => one.path === path || one.path.startsWith(`${path}/`))?.message
}

/** Whether each mistake of the answer stands under one of these fields. */
export function isAllUnder(error: PurserError, paths: readonly string[]): boolean {
  const isUnder = (path: string) =>
    paths.some((known) => path === known || path.startsWith(`${known}/`))
  return error.errors.length > 0 && error.errors.every(({ path }) => isUnder(path))
}

/** Moves the focus to the first wrong field of a form, after a refusal. */
export function useFirstWrongField(form: RefObject<HTMLElement | null>, mistake: unknown): void {
  useEffect(() => {
    if (!mistake) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
  }, [form, mistake])
}

/** The sentence under each wrong field, by the name of the field. */
export type Mistakes = Readonly<Record<string, string>>

/** The gateway's refusals, by the name of the field. The first sentence about a field stands. */
export function mistakesOf(error: PurserError | null): Mistakes {
  const entries = error?.errors.map(({ path, message }) => [path.split('/')[1] ?? '', message])
  return Object.fromEntries(entries?.toReversed() ?? [])
}

/**
 * The sentences under the fields of a form. A refusal moves the focus to the first wrong field, and a
 * field's own sentence goes as soon as the person types there.
 */
export function useMistakes(form: RefObject<HTMLElement | null>) {
  const [refusal, setRefusal] = useState<{ readonly mistakes: Mistakes } | null>(null)
  const [typed, setTyped] = useState<readonly string[]>([])
  useFirstWrongField(form, refusal)
  return {
    of: (name: string) => (typed.includes(name) ? undefined : refusal?.mistakes[name]),
    refuse: (mistakes: Mistakes) => {
      setTyped([])
      setRefusal({ mistakes })
    },
    clear: (name: string) => setTyped((before) => [...before, name]),
  }
}
