import type { ErrorObject } from 'ajv'
import { clip, type FieldError } from '../../base/errors.ts'
import { MONEY_MAX, whyNoMoney } from '../../core/money.ts'
import { nearestName } from '../../core/nearest-name.ts'
import { DATE_OR_TIME } from './query-times.ts'
import { isSeveral } from './several.ts'

/** Describes the mistakes by field, in words for the person who has to correct the request. */
export function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const telling = errors.filter((error) => !isNoise(error) && !isOtherForm(error, errors))
  return withoutRepeats((telling.length > 0 ? telling : errors).map(toFieldError))
}

/** Lists allowed values only once; later messages refer to the field with the list. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const firstPaths = new Map<string, string>()
  return errors.map((error) => {
    if (!error.message.startsWith(LISTED)) return error
    const first = firstPaths.get(error.message)
    if (first !== undefined) return { ...error, message: `${LISTED}the values listed for ${first}` }
    firstPaths.set(error.message, error.path)
    return error
  })
}

const LISTED = 'must be one of '

/** For a value that may also be null, the validator adds two more errors to each real mistake. */
function isNoise({ keyword, params }: ErrorObject): boolean {
  return (
    keyword === 'anyOf' || keyword === 'if' || (keyword === 'type' && params['type'] === 'null')
  )
}

/**
 * A parameter that takes one value or several has two schemas, and a mistake breaks both. Only the
 * error about the form that the caller used is telling.
 */
function isOtherForm(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const same = errors.filter(({ instancePath }) => instancePath === error.instancePath)
  const list = same.find(isList)
  if (list === undefined) return false
  if (String(list.data).includes(',')) return !isList(error)
  const isNamed = same.some(({ keyword }) => keyword === 'enum')
  return isList(error) || (isNamed && error.keyword === 'pattern')
}

function isList({ keyword, params }: ErrorObject): boolean {
  return keyword === 'pattern' && isSeveral(String(params['pattern']))
}

const FORMATS: Readonly<Record<string, string>> = {
  currency: 'must be an ISO 4217 code such as USD, or USDC or EURC',
  'time-zone': 'must be an IANA time zone such as Europe/Berlin, or UTC',
  name: 'must not contain control characters, invisible characters, or marks that change the writing direction',
  text: 'must not contain marks that change the writing direction, or control characters other than line breaks and tabs',
  vendor: 'must be a host name such as api.example.com',
  'date-time': 'must be a date-time with offset, such as 2026-11-15T09:30:00Z',
  [DATE_OR_TIME]:
    'must be a calendar date, such as 2026-11-01, or a date-time with offset, such as 2026-11-15T09:30:00Z',
  uuid: 'must be a UUID in lower case',
}

function toFieldError(error: ErrorObject): FieldError {
  const { instancePath: path, keyword } = error
  const params: Readonly<Record<string, unknown>> = error.params
  switch (keyword) {
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
        message: takesAnyName(error) ? MISNAMED : unknownField(error),
      }
    case 'enum':
      return { path, code: 'not_allowed', message: choiceOf(params['allowedValues'], error.data) }
    case 'const':
      return { path, code: 'not_allowed', message: `must be ${String(params['allowedValue'])}` }
    case 'discriminator':
      return { path: `${path}/type`, code: 'unknown_type', message: `${LISTED}${typesOf(error)}` }
    default:
      return { path, code: keyword, message: sentenceOf(error) }
  }
}

/** A longer list would be cut off, and the intended value may be among the last. */
const NAMED_MAX = 24

function choiceOf(allowed: unknown, given: unknown): string {
  const values: unknown[] = Array.isArray(allowed) ? allowed : []
  if (values.length > NAMED_MAX) {
    const hint = didYouMean(String(given), values.map(String))
    return `is not one of the ${values.length} values that /openapi.json lists for it${hint}`
  }
  return values.length === 1 ? `must be ${values[0]}` : `${LISTED}${values.join(', ')}`
}

function unknownField({ params, parentSchema }: ErrorObject): string {
  const known = Object.keys(parentSchema?.['properties'] ?? {})
  return `is not a field of this request${didYouMean(String(params['additionalProperty']), known)}`
}

function didYouMean(unknown: string, known: readonly string[]): string {
  const nearest = nearestName(unknown, known)
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`
}

/** If the caller chooses the names, only their format can be wrong. */
function takesAnyName({ parentSchema }: ErrorObject): boolean {
  return parentSchema !== undefined && 'patternProperties' in parentSchema
}

const MISNAMED = 'has a name that is empty, too long or contains a line break'

function sentenceOf(error: ErrorObject): string {
  const { keyword, message = 'is not valid' } = error
  if (isAmount(error)) return amountSentence(error)
  const params: Readonly<Record<string, unknown>> = error.params
  switch (keyword) {
    case 'format':
      return FORMATS[String(params['format'])] ?? message
    case 'type':
      return `must be ${withArticle(String(params['type']))}`
    case 'pattern':
      return formOf(String(params['pattern'])) ?? exampleOf(error) ?? message
    case 'uniqueItems':
      return `must not contain duplicates, such as items ${params['j']} and ${params['i']}`
    case 'minProperties':
      return 'must have at least one field'
    case 'minLength':
    case 'minItems':
      return params['limit'] === 1 ? 'must not be empty' : inWords(message)
    default:
      return inWords(message)
  }
}

/** Rewords the validator's own message without its signs and capitals. */
function inWords(message: string): string {
  return message
    .replace('must NOT have fewer than', 'must have at least')
    .replace('must NOT have', 'must not have')
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
}

const PRINTABLE = /^\^\[\\x21-\\x7e\](?:\{(\d+),(\d+)\}|\*)\$$/
const ONE_OR_TWO = /^\^\(\?:([a-z|]+)\)\(\?:,\(\?:\1\)\)\?\$$/
const SECRET = /^\^\[A-Za-z0-9_-\]\{(\d+)\}\$$/

/**
 * Returns a description of the pattern. Third-party keys and ids have no fixed format, so an
 * example would be misleading, and an example of a secret would look usable. If there are only a
 * few possible names, all are listed.
 */
function formOf(pattern: string): string | undefined {
  const [, exactly] = SECRET.exec(pattern) ?? []
  if (exactly !== undefined) return `must have ${exactly} characters: letters, digits, - and _ only`
  const [, names] = ONE_OR_TWO.exec(pattern) ?? []
  if (names !== undefined) {
    return `must be one or two of ${names.replaceAll('|', ', ')}, with a comma between`
  }
  const form = PRINTABLE.exec(pattern)
  if (!form) return undefined
  const [, least, most] = form
  const length = least === undefined ? '' : `${least} to ${most} characters, and `
  return `must have ${length}no spaces or characters beyond ASCII`
}

/** Amounts in rules have explicit bounds in the document instead of a format. */
function isAmount({ parentSchema }: ErrorObject): boolean {
  return parentSchema?.['format'] === 'money' || parentSchema?.['maximum'] === MONEY_MAX
}

const RECEIVED_MAX = 40

/** Repeats the received value, because amounts are often computed and rarely written by hand. */
export function amountSentence({ data }: { readonly data?: unknown }): string {
  if (typeof data === 'number') return whyNoMoney(data)
  if (typeof data === 'object' && data !== null) return 'must be a number, such as 12.5'
  return `is ${clip(JSON.stringify(data) ?? '', RECEIVED_MAX)}, but must be a number, such as 12.5`
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

function exampleOf({ parentSchema }: ErrorObject): string | undefined {
  const example: unknown = parentSchema?.['examples']?.[0]
  return typeof example === 'string' ? `must look like ${example}` : undefined
}

/** The values that distinguish the members of a union. */
function typesOf({ parentSchema }: ErrorObject): string {
  const kinds: readonly { properties?: { type?: { const?: string } } }[] =
    parentSchema?.['oneOf'] ?? []
  return kinds.flatMap((kind) => kind.properties?.type?.const ?? []).join(', ')
}

export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}
