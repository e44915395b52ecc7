import type { Simulation } from '@purser/sdk'
import type { Expectation, FileCase } from './file-mandate.ts'

/** The result of one case. */
export interface CaseResult {
  readonly name: string
  readonly line: number
  readonly passed: boolean
  /** Why it failed: one sentence for each field that differs. */
  readonly failures: readonly string[]
  readonly expected: Expectation
  readonly actual: Expectation & { readonly message: string }
  readonly durationMs: number
}

/** The results of the cases of one mandate. */
export interface MandateResult {
  readonly file: string
  readonly agent: string
  readonly name: string
  readonly cases: readonly CaseResult[]
}

/** Compares a decision with the expectation. Fields that the expectation does not name are free. */
export function toCaseResult(
  { name, line, expect }: FileCase,
  simulation: Simulation,
  durationMs: number,
): CaseResult {
  const { decision, flags, evaluationDetails: details } = simulation
  const { code, firstFailure, message } = details
  const actual = {
    decision,
    code,
    ...(firstFailure !== null && { rule: firstFailure }),
    flags,
    message,
  }
  const failures = [
    ...compare('decision', expect.decision, decision),
    ...compare('code', expect.code, code),
    ...compare('rule', expect.rule, firstFailure ?? 'none'),
    ...compare('flags', expect.flags && toList(expect.flags), toList(flags)),
  ]
  return {
    name,
    line,
    passed: failures.length === 0,
    failures,
    expected: expect,
    actual,
    durationMs,
  }
}

function compare(field: string, expected: string | undefined, actual: string): string[] {
  if (expected === undefined || expected === actual) return []
  return [`expected the ${field} ${expected}, but it was ${actual}`]
}

function toList(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : [...ids].sort().join(', ')
}
