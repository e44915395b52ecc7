import { money } from '@purser/sdk'
import type { FileDocument } from './document.ts'
import { type FileMistake, type PathStep, toFieldName } from './mistake.ts'
import { findSimilar } from './similar.ts'

type Path = readonly PathStep[]

/** A value with named fields. */
export type Fields = Readonly<Record<string, unknown>>

/** Reads values of one document, and collects the mistakes in them. */
export interface Checker {
  readonly mistakes: readonly FileMistake[]
  refuse(path: Path, message: string): undefined
  fields(path: Path, value: unknown, known: readonly string[]): Fields | undefined
  list(path: Path, value: unknown, max: number): readonly unknown[] | undefined
  /** A text with 1 to `max` characters. */
  text(path: Path, value: unknown, max: number): string | undefined
  choice<Name extends string>(path: Path, value: unknown, names: readonly Name[]): Name | undefined
  amount(path: Path, value: unknown): number | undefined
  /** A time with an offset, or null. */
  time(path: Path, value: unknown): string | null | undefined
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

export function createChecker({ file, lineOf }: FileDocument): Checker {
  const mistakes: FileMistake[] = []

  function refuse(path: Path, message: string): undefined {
    mistakes.push({ file, line: lineOf(path), field: toFieldName(path), message })
  }

  return {
    mistakes,
    refuse,

    fields(path, value, known) {
      if (!isFields(value)) return refuse(path, 'must have named fields')
      for (const name of Object.keys(value)) {
        if (!known.includes(name)) refuse([...path, name], unknownField(name, known))
      }
      return value
    },

    list(path, value, max) {
      if (!Array.isArray(value)) return refuse(path, 'must be a list')
      if (value.length > max) return refuse(path, `must have at most ${max} entries`)
      return value
    },

    text(path, value, max) {
      if (typeof value !== 'string') return refuse(path, 'must be a text')
      if (value !== '' && value.length <= max) return value
      return refuse(path, `must have 1 to ${max} characters`)
    },

    choice(path, value, names) {
      const found = names.find((name) => name === value)
      if (found !== undefined) return found
      const meant = findSimilar(String(value), names)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      return refuse(path, `must be ${toChoices(names)}${hint}`)
    },

    amount(path, value) {
      if (typeof value !== 'number') return refuse(path, 'must be a number, such as 12.5')
      if (!(value > 0)) return refuse(path, `is ${value}, but must be above 0`)
      try {
        return money(value).toNumber()
      } catch {
        return refuse(path, `is ${value}, but must have at most six decimals and be below 2^33`)
      }
    },

    time(path, value) {
      if (value === null) return null
      if (typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value))) {
        return value
      }
      return refuse(path, 'must be a time with an offset, such as 2027-01-01T00:00:00Z')
    },
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = findSimilar(name, known)
  if (meant !== undefined) return `is not a field here; did you mean ${meant}?`
  return `is not a field here; allowed: ${known.join(', ')}`
}

function toChoices(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
