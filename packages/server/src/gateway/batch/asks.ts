import { approvalStatusAt, type Permit } from '../../core/approvals/permit.ts'
import { digestOf, PENDING_PER_AGENT_MAX, type Question } from '../../core/approvals/request.ts'
import type { Decision } from '../../core/decision/decide.ts'
import type { ShownApproval } from '../../core/decision/details.ts'
import { toPublicId } from '../../core/id.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { usePermits } from '../../storage/approvals/permits.ts'
import {
  type Joining,
  joinRequests,
  type NewRequest,
  noteApprovals,
  openRequests,
  type WaitingRequest,
} from '../../storage/approvals/requests.ts'
import type { Statement } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import type { Submission } from '../submission.ts'
import type { ApprovalReads } from './approval-reads.ts'

/** Returns the console's URL for an approval (`toApprovalUrl`), by its database id. */
export type ApprovalUrl = (id: string) => string | null

/**
 * Every requester has to be stored, so a request with this many is closed to new ones; they get a
 * request of their own.
 */
const ASKERS_MAX = 20

/** The approval requests of a batch, and the approvals that it uses. */
export interface Asks {
  isUsed(approvalId: string): boolean
  /**
   * Returns the approval in the form that the caller sees. Nothing is stored until the decision is.
   */
  show(decision: Decision, permit: Permit | undefined, submission: Submission): ShownApproval | null
  /** Marks the decision's approval for storage. */
  keep(decision: Decision): void
  /** The newly opened requests, oldest first. */
  opened(): readonly NewRequest[]
  statements(): Statement[]
}

interface AsksOf {
  readonly organizationId: string
  readonly now: Instant
  readonly approvals: ApprovalReads
  readonly urlOf: ApprovalUrl
}

/** A request that takes one more spend: an already pending one, or one that this batch opens. */
type Plan = { readonly join: WaitingRequest } | { readonly open: NewRequest }

/** The requests of this batch so far: opened ones by digest, joined pending ones by id. */
interface Asked {
  readonly opened: Map<string, NewRequest>
  readonly joined: Map<string, Joining>
}

export function collectAsks(parts: AsksOf): Asks {
  const { organizationId, now, urlOf } = parts
  const planned = new Map<string, { readonly approvalId: string; readonly plan?: Plan }>()
  const noted: { transactionId: string; approvalId: string }[] = []
  const used = new Map<string, string>()
  const opened = new Map<string, NewRequest>()
  const joined = new Map<string, Joining>()

  function shown(id: string, status: ShownApproval['status'], expiresAt: Instant): ShownApproval {
    return { id: toPublicId('apr', id), status, url: urlOf(id), expiresAt: toIso(expiresAt) }
  }

  function showPermit(decision: Decision, permit: Permit): ShownApproval {
    planned.set(decision.spend.transactionId, { approvalId: permit.approvalId })
    const status = decision.usedApprovalId === null ? approvalStatusAt(permit, now) : 'used'
    return shown(permit.approvalId, status, permit.expiresAt)
  }

  function ask(decision: Decision, question: Question, submission: Submission) {
    const plan = planOf(parts, { opened, joined }, decision, question, submission)
    if (!plan) return null
    const { id, expiresAt } = 'join' in plan ? plan.join : plan.open
    planned.set(decision.spend.transactionId, { approvalId: id, plan })
    return shown(id, 'pending', expiresAt)
  }

  return {
    isUsed: (approvalId) => used.has(approvalId),
    show(decision, permit, submission) {
      const { question, usedApprovalId, code } = decision
      if (question && question.waitingFor === null) return ask(decision, question, submission)
      const isAnswered = code === 'approval_rejected' || code === 'approval_expired'
      const isTold = question !== null || usedApprovalId !== null || isAnswered
      return permit && isTold ? showPermit(decision, permit) : null
    },
    keep({ spend: { transactionId }, usedApprovalId }) {
      const kept = planned.get(transactionId)
      if (!kept) return
      const { approvalId, plan } = kept
      noted.push({ transactionId, approvalId })
      if (usedApprovalId !== null) used.set(usedApprovalId, transactionId)
      if (plan && 'open' in plan) opened.set(plan.open.digest, plan.open)
      if (plan && 'join' in plan) {
        const asked = (joined.get(approvalId)?.asked ?? 0) + 1
        joined.set(approvalId, { id: approvalId, asked, askedBy: plan.join.askedBy })
      }
    },
    opened: () => [...opened.values()],
    statements() {
      if (noted.length === 0) return []
      const uses = [...used].map(([approvalId, transactionId]) => ({ approvalId, transactionId }))
      return [
        noteApprovals(organizationId, noted),
        ...(uses.length === 0 ? [] : [usePermits(organizationId, now, uses)]),
        ...(opened.size === 0 ? [] : [openRequests(organizationId, now, [...opened.values()])]),
        ...(joined.size === 0 ? [] : [joinRequests(organizationId, [...joined.values()])]),
      ]
    },
  }
}

/** Returns undefined if the agent has too many pending requests, or no mandate. */
function planOf(
  { now, approvals }: AsksOf,
  asked: Asked,
  { spend, mandateId, currency }: Decision,
  question: Question,
  { askedBy }: Submission,
): Plan | undefined {
  if (mandateId === null || currency === null) return undefined
  const asker = askedBy ?? null
  const digest = digestOf(question, spend, mandateId, currency)
  const mine = asked.opened.get(digest)
  if (mine) return { open: withAsker({ ...mine, asked: mine.asked + 1 }, asker) }
  const waiting = approvals.waiting(spend.agentId)
  const alike = waiting
    .map((request) => asJoined(asked, request))
    .find((request) => request.digest === digest && canJoin(request, asker))
  if (alike) return { join: withAsker(alike, asker) }
  const own = [...asked.opened.values()].filter(({ agentId }) => agentId === spend.agentId)
  if (waiting.length + own.length >= PENDING_PER_AGENT_MAX) return undefined
  const { agentId, transactionId, path, vendor, category, amount } = spend
  const about = { agentId, mandateId, transactionId, path, vendor, category, amount, currency }
  const open = {
    ...about,
    id: newId(now),
    payee: spend.payee?.address ?? null,
    cardId: spend.card?.cardId ?? null,
    lifts: question.lifts,
    digest,
    asked: 1,
    askedBy: asker === null ? [] : [asker],
    // Not if the rule only lacks the past: vendors from the past are still to be learned.
    makesKnown: question.findings.some(({ code }) => code === 'new_vendor'),
    waitsMs: question.waitsMs,
    expiresAt: now + question.waitsMs,
  }
  return { open }
}

function asJoined({ joined }: Asked, request: WaitingRequest): WaitingRequest {
  const askedBy = joined.get(request.id)?.askedBy
  return askedBy === undefined ? request : { ...request, askedBy }
}

function canJoin({ askedBy }: WaitingRequest, asker: string | null): boolean {
  return asker === null || askedBy.includes(asker) || askedBy.length < ASKERS_MAX
}

function withAsker<Request extends { readonly askedBy: readonly string[] }>(
  request: Request,
  asker: string | null,
): Request {
  const { askedBy } = request
  return asker === null || askedBy.includes(asker)
    ? request
    : { ...request, askedBy: [...askedBy, asker] }
}
