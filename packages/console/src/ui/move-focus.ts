import type { KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Moves the focus among the items of a row with the arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, items: string): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(items)]
  const at = all.indexOf(event.target as HTMLElement)
  const step = STEPS[event.key]
  const next =
    step !== undefined ? at + step : event.key === 'Home' ? 0 : event.key === 'End' ? -1 : null
  if (at < 0 || next === null) return
  event.preventDefault()
  all.at(next % all.length)?.focus()
}
