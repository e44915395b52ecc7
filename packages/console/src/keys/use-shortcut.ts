import { useEffect, useRef } from 'react'
import { addShortcut } from './shortcuts.ts'

interface Options {
  readonly label: string
  readonly group: string
  /** False while the shortcut would do nothing. */
  readonly isOn?: boolean
}

/** Adds a shortcut while the component is shown. It never acts while a person types in a field. */
export function useShortcut(
  keys: string,
  run: (event: KeyboardEvent) => void,
  { label, group, isOn = true }: Options,
): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(
    () =>
      isOn ? addShortcut({ keys, label, group, run: (event) => latest.current(event) }) : undefined,
    [keys, label, group, isOn],
  )
}
