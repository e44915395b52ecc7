import type { Simulation } from '@purser/sdk'
import { countOf } from './text.ts'

/** Whether the stored inputs still give the stored decision, and which engine judged. */
export function differenceWords({ decision, differs = [], engine }: Simulation): string {
  const newer =
    engine && engine.then !== engine.now
      ? ` The gateway’s rules engine is version ${engine.now} now and was ${engine.then} then.`
      : ''
  if (differs.length === 0) {
    return `the same decision, ${decision}, with the same rules and figures.${newer}`
  }
  const fields = differs.map(({ field }) => field).join(', ')
  return `${countOf(differs.length, 'field differs', 'fields differ')}: ${fields}.${newer}`
}
