import type { BudgetPeriod } from '@purser/sdk'
import type { AgentReference } from '../api/read-agents.ts'
import { type Checker, createChecker, type Fields } from './checker.ts'
import type { FileDocument } from './document.ts'
import type { FileMandate, FileTerms, MandateReference } from './file-mandate.ts'
import type { FileMistake, PathStep } from './mistake.ts'
import { readCases } from './read-cases.ts'
import { readRules } from './read-rules.ts'

const NAME_MAX = 120
const EXTERNAL_ID_MAX = 255
const LEVELS_MAX = 10
const PERIODS: readonly BudgetPeriod[] = ['none', 'daily', 'weekly', 'monthly', 'yearly']
const MANDATE_FIELDS = [
  'agent',
  'name',
  'parent',
  'budgetTotal',
  'budgetPeriod',
  'currency',
  'timezone',
  'validFrom',
  'validUntil',
  'warningPercents',
  'discloseLimits',
  'rules',
  'cases',
]

type Path = readonly PathStep[]

export interface ReadMandate {
  readonly mandate: FileMandate | undefined
  readonly mistakes: readonly FileMistake[]
}

/** Reads one document of a mandate file. A document with mistakes is no mandate. */
export function readMandate(document: FileDocument): ReadMandate {
  const checker = createChecker(document)
  const fields = checker.fields([], document.value, MANDATE_FIELDS)
  const mandate = fields && readFields(checker, document, fields)
  const { mistakes } = checker
  return { mandate: mistakes.length > 0 ? undefined : mandate, mistakes }
}

function readFields(
  checker: Checker,
  document: FileDocument,
  fields: Fields,
): FileMandate | undefined {
  const reference = readReference(checker, [], fields)
  const terms = readTerms(checker, fields)
  const parent = readParent(checker, fields['parent'])
  const cases = fields['cases'] === undefined ? [] : readCases(checker, document, fields['cases'])
  const { file, lineOf } = document
  if (!reference) return undefined
  const place = { file, line: lineOf([]), lineOf }
  return { ...reference, ...place, terms, cases, ...(parent && { parent }) }
}

function readParent(checker: Checker, value: unknown): MandateReference | undefined {
  if (value === undefined) return undefined
  const fields = checker.fields(['parent'], value, ['agent', 'name'])
  return fields && readReference(checker, ['parent'], fields)
}

function readReference(
  checker: Checker,
  path: Path,
  { agent, name }: Fields,
): MandateReference | undefined {
  const found = readAgent(checker, [...path, 'agent'], agent)
  const text =
    name === undefined
      ? checker.refuse([...path, 'name'], 'is required')
      : checker.text([...path, 'name'], name, NAME_MAX)
  return found && text !== undefined ? { agent: found, name: text } : undefined
}

function readAgent(checker: Checker, path: Path, value: unknown): AgentReference | undefined {
  if (value === undefined) {
    return checker.refuse(path, 'is required: the externalId or the name of an agent')
  }
  if (typeof value === 'string') {
    const either = checker.text(path, value, EXTERNAL_ID_MAX)
    return either === undefined ? undefined : { either }
  }
  const fields = checker.fields(path, value, ['externalId', 'name'])
  if (!fields) return undefined
  const [entry, second] = Object.entries(fields)
  if (!entry || second) return checker.refuse(path, 'must have either an externalId or a name')
  const text = checker.text([...path, entry[0]], entry[1], EXTERNAL_ID_MAX)
  if (text === undefined) return undefined
  return entry[0] === 'name' ? { name: text } : { externalId: text }
}

function readTerms(checker: Checker, fields: Fields): FileTerms {
  const read = <T>(name: string, toValue: (path: Path, value: unknown) => T | undefined) =>
    fields[name] === undefined ? undefined : toValue([name], fields[name])
  const terms = {
    budgetTotal: read('budgetTotal', checker.amount),
    budgetPeriod: read('budgetPeriod', (path, value) => checker.choice(path, value, PERIODS)),
    currency: read('currency', (path, value) => readCurrency(checker, path, value)),
    timezone: read('timezone', (path, value) => readTimezone(checker, path, value)),
    validFrom: read('validFrom', checker.time),
    validUntil: read('validUntil', checker.time),
    warningPercents: read('warningPercents', (path, value) => readLevels(checker, path, value)),
    discloseLimits: read('discloseLimits', (path, value) => {
      return typeof value === 'boolean' ? value : checker.refuse(path, 'must be true or false')
    }),
    rules: read('rules', (path, value) => readRules(checker, path, value)),
  }
  const { validFrom, validUntil } = terms
  if (validFrom && validUntil && Date.parse(validFrom) >= Date.parse(validUntil)) {
    checker.refuse(['validFrom'], 'must be before validUntil')
  }
  const named = Object.entries(terms).filter(([, value]) => value !== undefined)
  return Object.fromEntries(named) as FileTerms
}

/** Sorted, as the gateway answers them, so that the order in a file is no difference. */
function readLevels(checker: Checker, path: Path, value: unknown): number[] | undefined {
  const isLevel = (one: unknown): one is number =>
    typeof one === 'number' && Number.isInteger(one) && one >= 1 && one <= 99
  const isRight = Array.isArray(value) && value.every(isLevel)
  if (!isRight || value.length > LEVELS_MAX || new Set(value).size < value.length) {
    const message = `must be a list of at most ${LEVELS_MAX} different whole numbers from 1 to 99`
    return checker.refuse(path, message)
  }
  return value.toSorted((a, b) => a - b)
}

function readCurrency(checker: Checker, path: Path, value: unknown): string | undefined {
  if (typeof value === 'string' && /^[A-Z]{3,4}$/.test(value)) return value
  return checker.refuse(path, 'must be an ISO 4217 code such as USD, or USDC or EURC')
}

function readTimezone(checker: Checker, path: Path, value: unknown): string | undefined {
  const text = checker.text(path, value, 64)
  if (text === undefined) return undefined
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return text
  } catch {
    return checker.refuse(path, 'must be an IANA time zone, such as Europe/Berlin')
  }
}
