import { DIMENSIONS } from '../../core/analytics/dimensions.ts'
import { MEASURES, type Measure } from '../../core/analytics/measures.ts'

export function columnOf(measure: Measure): string {
  return measure.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`)
}

const COLUMNS = MEASURES.map(columnOf)

/** The columns of all measures, in the order of MEASURES. */
export const MEASURE_COLUMNS = COLUMNS.join(', ')

/** The sums of all measures, under the same names. */
export const TOTALS = COLUMNS.map((column) => `sum(${column}) as ${column}`).join(', ')

/** Adds new values to an existing row of the table `s`. */
export const ADDED = COLUMNS.map((column) => `${column} = s.${column} + excluded.${column}`).join(
  ', ',
)

/** The key of a cell in the dimension that the parameter names; empty if it names none. */
export function keyBy(parameter: string): string {
  const cases = DIMENSIONS.map((dimension) => `when '${dimension}' then ${dimension}`)
  return `case ${parameter}::text ${cases.join(' ')} else '' end`
}
