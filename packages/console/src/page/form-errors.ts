import type { PurserError } from '@purser/sdk'
import { type RefObject, useEffect } from 'react'

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
