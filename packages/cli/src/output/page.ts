import { paint } from './color.ts'
import { plain } from './plain.ts'
import { pad, widthOf } from './width.ts'

/** A name and its value; a value of null or undefined is left out. */
export type Fact = readonly [name: string, value: string | number | null | undefined]

/** Formats one object: one line for each of its facts. */
export function toPage(facts: readonly Fact[]): string[] {
  const shown = facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [[plain(name), plain(`${value}`)] as const],
  )
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)))
  return shown.map(([name, value]) => `${paint(pad(name, width), 'dim')}  ${value}`)
}
