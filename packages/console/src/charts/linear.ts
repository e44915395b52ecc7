/**
 * A linear scale from a domain to a range of pixels. d3-scale has one too, but that brings colours,
 * formats and times with it: 9 kB of every page with a chart.
 */
export function linear(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const step = high === low ? 0 : (to - from) / (high - low)
  return (value) => from + (value - low) * step
}
