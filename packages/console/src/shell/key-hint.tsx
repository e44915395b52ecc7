import { useSyncExternalStore } from 'react'
import { waitingKey, watchWaitingKey } from '../keys/shortcuts.ts'
import { Kbd } from '../ui/kbd.tsx'

/** Shows the letter of a screen while `g` waits for it. */
export function KeyHint({ letter }: { readonly letter: string }) {
  const waiting = useSyncExternalStore(watchWaitingKey, waitingKey)
  if (waiting !== 'g') return null
  return (
    <span className="ml-auto" aria-hidden>
      <Kbd>{letter}</Kbd>
    </span>
  )
}
