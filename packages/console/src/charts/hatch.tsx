export type HatchColour = 'held' | 'spent' | 'ask' | 'no'

const STRIPE: Record<HatchColour, string> = {
  held: 'fill-chart-held',
  spent: 'fill-chart-spent',
  ask: 'fill-ask-fill',
  no: 'fill-no-fill',
}

/** Stripes at 45°, for money that is held. `id` must be the only one of its name in the page. */
export function Hatch({ id, colour }: { id: string; colour: HatchColour }) {
  return (
    <pattern
      height="5"
      id={id}
      patternTransform="rotate(45)"
      patternUnits="userSpaceOnUse"
      width="5"
    >
      <rect className="fill-sheet forced-colors:fill-[Canvas]" height="5" width="5" />
      <rect
        className={`${STRIPE[colour]} forced-colors:fill-[CanvasText]`}
        height="5"
        width="2.4"
      />
    </pattern>
  )
}

/** The looks of marks. Each reads without its colour: solid, hatched, hollow. */
export const SPENT = 'fill-chart-spent forced-colors:fill-[CanvasText]'
export const HELD_EDGE = 'stroke-chart-held forced-colors:stroke-[CanvasText]'
export const HOLLOW =
  'fill-[color-mix(in_srgb,var(--chart-no)_10%,transparent)] stroke-chart-no stroke-[1.5] forced-colors:fill-none forced-colors:stroke-[CanvasText]'
export const GRID = 'stroke-chart-grid forced-colors:stroke-[GrayText]'
export const AXIS = 'stroke-chart-axis forced-colors:stroke-[CanvasText]'
export const AXIS_TEXT = 'fill-ink-3 text-micro forced-colors:fill-[CanvasText]'
