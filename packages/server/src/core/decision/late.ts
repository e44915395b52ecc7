import { defineCodes } from '../rules/codes.ts'
import type { Spend } from '../spend.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { NO_ADVICE } from './advice.ts'
import type { Decision } from './decide.ts'

export const lateCodes = defineCodes({
  deadline_passed: {
    meaning: 'The spend was not decided before the deadline of its caller.',
    action: 'Nothing was spent. Retry with a new request; the same request gets the same answer.',
    repeat: 'later',
  },
})

export const DEADLINE_PASSED = lateCodes.deadline_passed.code

const MESSAGE = 'The spend was not decided in time, so it is declined.'

/**
 * The decline that is returned at the deadline, whatever the database does (ADR 19). It names no
 * mandate and no budget, because they may not have been read.
 */
export function declineLate(spend: Spend, now: Instant): Decision {
  return {
    spend,
    at: now,
    mandateId: null,
    mandateVersion: null,
    policyHash: null,
    decision: 'rejected',
    status: 'rejected',
    code: DEADLINE_PASSED,
    message: MESSAGE,
    currency: spend.currency,
    expiresAt: null,
    remainingBudget: 0n,
    flaggedBy: [],
    details: {
      code: DEADLINE_PASSED,
      message: MESSAGE,
      mandateVersion: null,
      policyHash: null,
      evaluatedAt: toIso(now),
      path: spend.path,
      firstFailure: null,
      failed: [],
      rules: [],
      budget: null,
      approval: null,
      next: NO_ADVICE,
    },
    mandates: [],
    counters: new Map(),
    vendor: undefined,
    budgetEvents: [],
    unread: [],
    question: null,
    usedApprovalId: null,
  }
}
