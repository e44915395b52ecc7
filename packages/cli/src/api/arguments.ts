import { type Command, InvalidArgumentError } from 'commander'

/**
 * Accepts only plain decimals. Other notations of numbers, such as 1e3, are more likely a typing
 * mistake.
 */
export function parseAmount(text: string): number {
  const amount = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (amount > 0) return amount
  throw new InvalidArgumentError('Expected an amount in units of the currency, such as 12.5.')
}

/** Returns a parser of whole numbers in this range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`)
  }
}

/** How many entries a page of the API has at most. */
export const PAGE_MAX = 200

export const LIMIT_OPTION = [
  '--limit <number>',
  `number of entries, at most ${PAGE_MAX}`,
  wholeNumber(1, PAGE_MAX),
  50,
] as const

export const CURSOR_OPTION = ['--cursor <cursor>', 'the nextCursor of the previous page'] as const

/** Whether the command has this option, such as `--url`. */
export function hasOption({ options }: Command, flag: string): boolean {
  return options.some(({ long }) => long === flag)
}
