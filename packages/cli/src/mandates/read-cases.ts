import type { PathName } from '@purser/sdk'
import type { Checker } from './checker.ts'
import type { FileDocument } from './document.ts'
import type { Expectation, FileCase } from './file-mandate.ts'
import type { PathStep } from './mistake.ts'
import { parseWeekTime } from './week-time.ts'

const CASES_MAX = 1_000
const CASE_FIELDS = ['name', 'amount', 'vendor', 'category', 'reference', 'path', 'at', 'expect']
const EXPECT_FIELDS = ['decision', 'code', 'rule', 'flags']
const DECISIONS = ['approved', 'rejected'] as const
const PATHS: readonly PathName[] = ['evaluate', 'x402', 'card', 'acp']

export function readCases(checker: Checker, { lineOf }: FileDocument, value: unknown): FileCase[] {
  const cases = checker.list(['cases'], value, CASES_MAX) ?? []
  return cases.flatMap((each, index) => {
    const path = ['cases', index]
    const read = readCase(checker, path, each)
    return read ? [{ ...read, name: read.name ?? `case ${index + 1}`, line: lineOf(path) }] : []
  })
}

type Path = readonly PathStep[]

function readCase(checker: Checker, path: Path, value: unknown) {
  const fields = checker.fields(path, value, CASE_FIELDS)
  if (!fields) return undefined
  const text = (name: string, max: number) =>
    fields[name] === undefined ? undefined : checker.text([...path, name], fields[name], max)
  const required = (name: string, max: number) =>
    fields[name] === undefined ? checker.refuse([...path, name], 'is required') : text(name, max)
  const amount =
    fields['amount'] === undefined
      ? checker.refuse([...path, 'amount'], 'is required')
      : checker.amount([...path, 'amount'], fields['amount'])
  const [vendor, category] = [required('vendor', 2_048), required('category', 64)]
  const expect = readExpectation(checker, [...path, 'expect'], fields['expect'])
  const [name, reference] = [text('name', 200), text('reference', 255)]
  const spendPath =
    fields['path'] === undefined
      ? undefined
      : checker.choice([...path, 'path'], fields['path'], PATHS)
  const at = readAt(checker, [...path, 'at'], fields['at'])
  if (amount === undefined || vendor === undefined || category === undefined || !expect) {
    return undefined
  }
  return {
    amount,
    vendor,
    category,
    expect,
    ...(name !== undefined && { name }),
    ...(reference !== undefined && { reference }),
    ...(spendPath !== undefined && { path: spendPath }),
    ...(at !== undefined && { at }),
  }
}

function readAt(checker: Checker, path: Path, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && parseWeekTime(value)) return value
  const isTime = typeof value === 'string' && value.includes('T')
  if (isTime) return checker.time(path, value) ?? undefined
  return checker.refuse(path, 'must be a time such as 2027-01-01T00:00:00Z, or sat 03:00')
}

function readExpectation(checker: Checker, path: Path, value: unknown): Expectation | undefined {
  if (value === undefined) return checker.refuse(path, 'is required')
  if (typeof value === 'string') {
    const decision = checker.choice(path, value, DECISIONS)
    return decision && { decision }
  }
  const fields = checker.fields(path, value, EXPECT_FIELDS)
  if (!fields) return undefined
  const { code, rule, flags } = fields
  const decision = checker.choice([...path, 'decision'], fields['decision'], DECISIONS)
  const codeText = code === undefined ? undefined : checker.text([...path, 'code'], code, 64)
  const ruleText = rule === undefined ? undefined : checker.text([...path, 'rule'], rule, 128)
  const flagged = flags === undefined ? undefined : checker.list([...path, 'flags'], flags, 64)
  return (
    decision && {
      decision,
      ...(codeText !== undefined && { code: codeText }),
      ...(ruleText !== undefined && { rule: ruleText }),
      ...(flagged && { flags: flagged.map(String) }),
    }
  )
}
