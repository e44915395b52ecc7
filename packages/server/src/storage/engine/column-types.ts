import { types } from 'pg'

type Parse = (text: string) => unknown

const INT8 = 20
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const INT8_ARRAY = 1016
const NUMERIC_ARRAY = 1231
const TIMESTAMPTZ_ARRAY = 1185
const TEXT_ARRAY: number = 1009

const parseTextArray = types.getTypeParser(TEXT_ARRAY, 'text')
const parseDriverDate = types.getTypeParser(TIMESTAMPTZ, 'text')

/**
 * Types that the driver would get wrong for this program: it returns int8 as strings, instants as
 * objects, sums of numeric arrays as floating point, and dates without a zone as midnight of this
 * machine.
 */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [INT8, BigInt],
  [DATE, (text) => text],
  [TIMESTAMP, (text) => text],
  [TIMESTAMPTZ, toMilliseconds],
  [INT8_ARRAY, toArrayOf(BigInt)],
  [NUMERIC_ARRAY, toArrayOf((text) => text)],
  [TIMESTAMPTZ_ARRAY, toArrayOf(toMilliseconds)],
])

/**
 * The types of columns as every query of this program sees them, on both engines: int8 is a bigint,
 * timestamptz is a number of milliseconds since 1970, numeric is a string, json and jsonb are
 * parsed, uuid and text are strings, and arrays are arrays of those.
 */
export const columnTypes = { getTypeParser }

function getTypeParser(oid: number, format: 'text' | 'binary' = 'text') {
  const parse = format === 'text' ? PARSERS.get(oid) : undefined
  return parse ?? types.getTypeParser(oid, format)
}

/**
 * The driver's parser knows every form that Postgres writes, and already returns infinity as a
 * number.
 */
function toMilliseconds(text: string): number {
  return Number(parseDriverDate(text))
}

function toArrayOf(parse: Parse): Parse {
  const parseElement = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(parseElement)
    return typeof element === 'string' ? parse(element) : element
  }
  return (text) => parseElement(parseTextArray(text))
}
