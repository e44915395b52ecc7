/** A row of a few choices, all in view. */
export const SEGMENTS = 'inline-flex max-w-full gap-0.5 rounded-3 border border-line bg-well p-0.5'

const SHAPE =
  'inline-flex min-h-6.5 shrink-0 items-center gap-1.5 rounded-2 border border-transparent px-2.5 text-small font-medium whitespace-nowrap pointer-coarse:min-h-10'
const COLOURS = 'bg-transparent text-ink-2 hover:text-ink'
const FOCUS = 'hover:no-underline focus-visible:-outline-offset-2 focus-visible:rounded-2'
const CURRENT =
  'aria-[current]:border-line aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-1 forced-colors:aria-[current]:bg-[Highlight] forced-colors:aria-[current]:text-[HighlightText] forced-colors:aria-[current]:forced-color-adjust-none'
const PRESSED =
  'aria-pressed:border-line aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-1 forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none'

/** One choice: a link with `aria-current`, or a button with `aria-pressed`. */
export const SEGMENT = `${SHAPE} ${COLOURS} ${FOCUS} ${CURRENT} ${PRESSED}`

/** The number beside a choice. In forced colors it takes the colour of its choice. */
export const SEGMENT_COUNT = 'font-regular text-ink-3 forced-colors:text-inherit'
