import type { ReactNode } from 'react'
import { Mark } from '../../brand/mark.tsx'

interface DoorProps {
  /** The sentence on the cloth. */
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

/** The frame of the pages for people who have not signed in: the sleeve, and a form. */
export function Door({ title, text, children }: DoorProps) {
  return (
    <div className="grid min-h-dvh tablet:grid-cols-2">
      <section
        aria-label="Purser"
        data-theme="dark"
        className="relative flex flex-col overflow-hidden bg-cloth px-13 py-11 text-ink max-tablet:min-h-48 max-tablet:p-6"
      >
        <Sleeve />
        <div className="relative flex items-center gap-2.5">
          <Mark className="size-7.5" />
          <b className="text-lead tracking-tight">Purser</b>
        </div>
        <h2 className="relative mt-auto max-w-[15ch] text-display font-[560] tracking-[-0.026em] text-balance max-tablet:text-title">
          {title}
        </h2>
        <p className="relative mt-3 max-w-[44ch] text-read text-ink-2 max-tablet:hidden">{text}</p>
      </section>
      <main className="grid place-items-center bg-sheet px-6 py-10">{children}</main>
    </div>
  )
}

/** The braid of a purser's sleeve: a curl of gold, and the white cloth between two stripes. */
function Sleeve() {
  return (
    <svg
      viewBox="0 0 720 420"
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden
      // On a narrow page the stripes end above the sentence.
      className="absolute inset-x-0 top-0 h-[78%] w-full max-tablet:h-[58%]"
    >
      <g fill="none" stroke="var(--brand-brass)" strokeWidth={15}>
        <path d="M0 236H452C520 236 556 196 556 150A62 62 0 10 432 150C432 196 468 236 536 236H720" />
        <path d="M0 288H720" />
      </g>
      <path d="M0 262H720" stroke="#fff" strokeWidth={9} />
    </svg>
  )
}
