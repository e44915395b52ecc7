import { cx } from './cx.ts'

export type LiveState = 'live' | 'paused' | 'off'

const LOOK: Record<LiveState, string> = {
  live: 'bg-ok-fill shadow-[0_0_0_3px_color-mix(in_srgb,var(--ok-fill)_22%,transparent)]',
  paused: 'bg-ask-fill',
  off: 'border-[1.5px] border-line-control bg-transparent',
}

/** A dot that says how the page is fed. Words stand beside it. */
export function LiveDot({ state = 'live' }: { state?: LiveState }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block size-1.75 shrink-0 rounded-full forced-color-adjust-none',
        LOOK[state],
      )}
    />
  )
}
