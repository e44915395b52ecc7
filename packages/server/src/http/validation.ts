import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { isCurrency } from '../core/currency.ts'
import { isMoney } from '../core/money.ts'
import { isTimeZone } from '../core/time.ts'
import { toVendor } from '../core/vendor.ts'
import type { FieldError } from '../errors.ts'

/**
 * Bodies are taken as they are: a text is never turned into a number, an unknown field never
 * dropped, a default never written into what the caller sent.
 */
const bodies = createAjv({ coerceTypes: false, useDefaults: false })

/** Query and path are text by nature, so numbers and booleans in them have to be read from text. */
const texts = createAjv({ coerceTypes: true, useDefaults: true })

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodies : texts).compile(schema)

function createAjv(options: { coerceTypes: boolean; useDefaults: boolean }): Ajv {
  const ajv = new Ajv({
    ...options,
    removeAdditional: false,
    allErrors: true,
    discriminator: true,
    // Our schemas carry OpenAPI words (examples, deprecated) that Ajv does not know.
    strict: false,
    strictNumbers: true,
  })
  ajv.addFormat('money', { type: 'number', validate: isMoney })
  ajv.addFormat('currency', isCurrency)
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('vendor', (text) => toVendor(text) !== undefined)
  ajv.addFormat('http-url', isHttpUrl)
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  return ajv
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  return isHttp && url.username === '' && url.password === '' && url.hash === ''
}

/** RFC 3339 with an offset. Date.parse alone would also take dates without one. */
function isDateTime(text: string): boolean {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
  if (!form.test(text)) return false
  const at = Date.parse(text)
  // February 30 would be moved to March by Date.parse; the day must survive the round trip.
  return !Number.isNaN(at) && isRealDay(text)
}

function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Fields in the words of the person who has to mend the request. */
export function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  return errors.filter((error) => error.keyword !== 'if').map(toFieldError)
}

const FORMATS: Readonly<Record<string, string>> = {
  money:
    'must be an amount above 0, at most 999999999.999999, with at most six decimals, in currency units',
  currency: 'must be an ISO 4217 code such as USD, or USDC or EURC',
  'time-zone': 'must be an IANA time zone such as Europe/Berlin, or UTC',
  vendor: 'must be a host name such as api.example.com',
  'http-url': 'must be an http or https URL without user name, password and fragment',
  'date-time': 'must be a date-time with offset, such as 2026-11-15T09:30:00Z',
  uuid: 'must be a UUID in lower case',
}

function toFieldError(error: ErrorObject): FieldError {
  const path = error.instancePath
  const params: Readonly<Record<string, unknown>> = error.params
  switch (error.keyword) {
    case 'required':
      return {
        path: `${path}/${escapePointer(String(params['missingProperty']))}`,
        code: 'required',
        message: 'is required',
      }
    case 'additionalProperties':
      return {
        path: `${path}/${escapePointer(String(params['additionalProperty']))}`,
        code: 'unknown_field',
        message: 'is not a field of this request',
      }
    case 'enum':
      return {
        path,
        code: 'not_allowed',
        message: `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`,
      }
    case 'const':
      return { path, code: 'not_allowed', message: `must be ${String(params['allowedValue'])}` }
    case 'discriminator':
      return { path: `${path}/type`, code: 'unknown_type', message: 'is not a known type' }
    case 'format':
      return {
        path,
        code: 'format',
        message: FORMATS[String(params['format'])] ?? error.message ?? 'has a wrong form',
      }
    default:
      return { path, code: error.keyword, message: error.message ?? 'is not valid' }
  }
}

function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}
