import assert from 'node:assert/strict'
import type { FieldError } from '../../base/errors.ts'
import { toCategory } from '../category.ts'
import type { PathName } from '../path.ts'
import type { Spend } from '../spend.ts'
import { matchesVendor, toVendorPattern } from '../vendor.ts'
import { inspectCategory, inspectVendor } from './settings.ts'

/** The spends that a limit counts. A field that is left out matches all of them. */
interface Match {
  readonly vendor?: string
  readonly path?: PathName
  readonly category?: string
}

export function mayMatch(match: Match, { vendor, path, category }: Spend): boolean {
  if (match.path !== undefined && match.path !== path) return false
  if (match.vendor !== undefined && !matchesVendor(match.vendor, vendor)) return false
  return match.category === undefined || category === null || match.category === category
}

export function inspectMatch(match: Match | undefined): FieldError[] {
  return [
    ...(match?.vendor === undefined ? [] : inspectVendor('/match/vendor', match.vendor)),
    ...(match?.category === undefined ? [] : inspectCategory('/match/category', match.category)),
  ]
}

export function normalizeMatch(match: Match): Match {
  const { vendor, category } = match
  return {
    ...match,
    ...(vendor !== undefined && { vendor: toPattern(vendor) }),
    ...(category !== undefined && { category: toCategory(category) ?? category }),
  }
}

function toPattern(text: string): string {
  const result = toVendorPattern(text)
  assert('pattern' in result, 'a limit is normalized after it was inspected')
  return result.pattern
}
