import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { FIELD_ERRORS_MAX, type FieldError, Problem } from '../../base/errors.ts'
import { isDate } from '../../core/analytics/range.ts'
import { isCurrency } from '../../core/currency.ts'
import { isMoney } from '../../core/money.ts'
import { isReadableName, isReadableText } from '../../core/name.ts'
import { nearestName } from '../../core/nearest-name.ts'
import { isTimeZone } from '../../core/time/instant.ts'
import { toVendor } from '../../core/vendor.ts'
import { amountSentence, escapePointer } from './field-errors.ts'
import { createFindMistakes } from './find-mistakes.ts'
import { DATE_OR_TIME } from './query-times.ts'

/**
 * Bodies are not changed: we never turn text into a number, drop an unknown field, or write a
 * default into the caller's body.
 */
const bodies = createJudges({ coerceTypes: false, useDefaults: false })

/** Query and path are always text, so their numbers and booleans have to be parsed from text. */
const texts = createJudges({ coerceTypes: true, useDefaults: true })

/**
 * A first validator decides whether a value is accepted, and stops at the first mistake. Only a
 * refused value is checked again, to list its other mistakes.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const { deciding, explaining } = httpPart === 'body' ? bodies : texts
  // Compiled at the first request: compiling all schemas would take most of a second at every
  // start, and a new gateway needs few of them at first.
  let isValid: ValidateFunction | undefined
  const findMistakes = createFindMistakes(explaining, schema)

  function validate(value: unknown): boolean {
    isValid ??= deciding.compile(schema)
    if (isValid(value)) return true
    const mistakes = findMistakes(value)
    validate.errors = mistakes.length > 0 ? mistakes : (isValid.errors ?? null)
    return false
  }
  validate.errors = null as ErrorObject[] | null
  return validate
}

/**
 * Refuses requests that no schema of an endpoint would refuse. These are control characters in the
 * query, which the database cannot store (bodies are scanned when they are parsed); oddly spelled
 * numbers in the query, one of which (1e999) would be read as infinity and pass its limits; fields
 * in a body that must be empty; and parameters of endpoints that have none.
 */
export function checkBesidesSchema(request: FastifyRequest): void {
  // If there is no endpoint, the answer has to say that instead.
  if (request.is404) return
  const { config, schema } = request.routeOptions
  // A door must identify the caller first, and third parties define its bodies.
  if (config.isDoor) return
  const ofBody = schema?.body ? NOTHING : unwantedFields(request.body)
  const takesNone = config.isApi === true && schema?.querystring === undefined
  const isUnwanted = takesNone && request.url.includes('?')
  const ofQuery = isUnwanted ? unwantedParameters(request.query, schema?.body) : NOTHING
  check(request.query, schema?.querystring, ofBody, ofQuery)
}

const NOTHING: readonly FieldError[] = []

/** The part of it that is about the query. */
export function checkQuery({ query, routeOptions }: FastifyRequest): void {
  check(query, routeOptions.schema?.querystring, NOTHING, NOTHING)
}

function check(
  query: unknown,
  schema: unknown,
  ofBody: readonly FieldError[],
  ofQuery: readonly FieldError[],
): void {
  const errors = [...controlCharacters(query), ...oddNumbers(query, schema), ...ofQuery, ...ofBody]
  const [first] = errors
  if (!first) return
  const detail = `In the request, ${first.path} ${first.message}.`
  throw new Problem('validation_failed', detail, { errors })
}

/** One more than are reported, so that the answer can say that there are more. */
const LOOKED_AT_MAX = FIELD_ERRORS_MAX + 1

function controlCharacters(query: unknown): FieldError[] {
  return Object.entries(query ?? {})
    .filter(([, value]) => /\p{Cc}/u.test(String(value)))
    .slice(0, LOOKED_AT_MAX)
    .map(([name]) => ({
      path: `/${escapePointer(name)}`,
      code: 'control_character',
      message: 'contains a control character',
    }))
}

function oddNumbers(query: unknown, schema: unknown): FieldError[] {
  const { properties = {} } = (schema ?? {}) as {
    properties?: Record<string, { type?: string; format?: string }>
  }
  return Object.entries(query ?? {})
    .filter(([name]) => /^(integer|number)$/.test(properties[name]?.type ?? ''))
    .filter(([, value]) => !/^-?\d{1,15}(\.\d{1,6})?$/.test(String(value)))
    .map(([name, data]) => ({
      path: `/${name}`,
      code: 'type',
      message:
        properties[name]?.format === 'money'
          ? `${amountSentence({ data })}, with at most six decimals`
          : 'must be a decimal number',
    }))
}

/** Many clients send an empty object where nothing is expected. That does not deserve a 400. */
function unwantedFields(body: unknown): FieldError[] {
  if (body === undefined) return []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return [{ path: '', code: 'type', message: 'must be empty or an object without fields' }]
  }
  const unknown = Object.keys(body).slice(0, LOOKED_AT_MAX)
  return unknown.map((name) => ({
    path: `/${escapePointer(name)}`,
    code: 'unknown_field',
    message: 'is not a field of this request',
  }))
}

/** If the endpoint has no query parameters, the caller perhaps meant a field of the body. */
function unwantedParameters(query: unknown, bodySchema: unknown): FieldError[] {
  const { properties = {} } = (bodySchema ?? {}) as { properties?: object }
  const names = Object.keys(query ?? {}).slice(0, LOOKED_AT_MAX)
  return names.map((name) => {
    const nearest = nearestName(name, Object.keys(properties))
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}, in the body?)`
    return {
      path: `/${escapePointer(name)}`,
      code: 'unknown_field',
      message: `is not a query parameter of this endpoint${hint}`,
    }
  })
}

function createJudges(options: JudgeOptions): { deciding: Ajv; explaining: Ajv } {
  return {
    deciding: createAjv({ ...options, allErrors: false }),
    explaining: createAjv({ ...options, allErrors: true }),
  }
}

interface JudgeOptions {
  readonly coerceTypes: boolean
  readonly useDefaults: boolean
}

function createAjv(options: JudgeOptions & { readonly allErrors: boolean }): Ajv {
  const ajv = new Ajv({
    ...options,
    removeAdditional: false,
    discriminator: true,
    // Our schemas carry OpenAPI keywords (examples, deprecated) that Ajv does not know.
    strict: false,
    strictNumbers: true,
    // Errors carry the schema that they violate: its examples make better sentences than its
    // patterns.
    verbose: true,
  })
  ajv.addFormat('money', { type: 'number', validate: isMoney })
  ajv.addFormat('currency', isCurrency)
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('name', isReadableName)
  ajv.addFormat('text', isReadableText)
  ajv.addFormat('vendor', (text) => toVendor(text) !== undefined)
  // This is only for the document. The code that takes a URL checks it, and can say what is wrong
  // with it.
  ajv.addFormat('http-url', true)
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat(DATE_OR_TIME, (text) => isDateTime(text) || (isDate(text) && text >= '0001'))
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  return ajv
}

/** RFC 3339 with an offset. Date.parse alone would also accept dates without one. */
function isDateTime(text: string): boolean {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
  if (!form.test(text)) return false
  const at = Date.parse(text)
  // Date.parse would move February 30 to March, so the day must survive the round trip.
  return at >= FIRST_INSTANT && at <= LAST_INSTANT && isRealDay(text)
}

/** In UTC the year must have four digits and not be 0, because the database accepts no others. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

function isRealDay(text: string): boolean {
  // Every month has these days.
  if (Number(text.slice(8, 10)) <= 28) return true
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
