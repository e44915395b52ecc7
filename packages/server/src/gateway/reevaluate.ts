import { Problem } from '../base/errors.ts'
import type { ShownApproval } from '../core/decision/details.ts'
import { ENGINE } from '../core/decision/engine.ts'
import { DEADLINE_PASSED } from '../core/decision/late.ts'
import { toPublicId } from '../core/id.ts'
import { hashOf } from '../core/replay/inputs.ts'
import { judgeAgain } from '../core/replay/judge-again.ts'
import { accountOf, readInputs } from '../core/replay/kept-inputs.ts'
import { findKeptDecision, type KeptDecision } from '../storage/decisions/stored-answers.ts'
import type { Database } from '../storage/engine/database.ts'
import { createRecordedPolicies } from './recorded-policies.ts'
import { type Decided, toDetails } from './submission.ts'

/** An earlier decision as it was answered, and as today's code makes it from the same inputs. */
export interface Reevaluated {
  readonly earlier: Decided
  readonly again: Decided
  readonly engineThen: number
  readonly engineNow: number
}

/**
 * Judges an earlier decision again, from its stored inputs. The approval request is a fact of the
 * record and cannot be judged, so it is copied from there.
 */
export async function reevaluate(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Reevaluated | undefined> {
  const receivedAt = performance.now()
  const kept = await findKeptDecision(db, organizationId, id)
  if (!kept) return undefined
  const { engine, inputs: text, inputsHash, details, createdAt } = kept
  if (engine === null || text === null || details === null || kept.code === DEADLINE_PASSED) {
    throw notKept(kept)
  }
  const inputs = readInputs(text, organizationId, kept)
  const policies = createRecordedPolicies(db, organizationId)
  await policies.load(inputs.mandates)
  const { mandates } = accountOf(inputs, policies.of, createdAt)
  if (hashOf(inputs.spend, createdAt, mandates, text) !== inputsHash) throw changed(kept)
  const judged = judgeAgain(inputs, policies.of, createdAt)
  const approval = approvalIn(details)
  const decision = { ...judged, details: { ...judged.details, approval } }
  const { flaggedBy, remainingBudget, status, code, currency, mandateId } = decision
  const { agentId, vendor, category, amount } = decision.spend
  return {
    earlier: { ...kept, details, isReplay: true },
    again: {
      id,
      agentId,
      mandateId,
      amount,
      currency,
      vendor,
      category,
      decision: decision.decision,
      status,
      code,
      remainingBudget,
      flaggedBy,
      details: toDetails(decision, receivedAt),
      isReplay: false,
    },
    engineThen: engine,
    engineNow: ENGINE,
  }
}

function approvalIn(details: string): ShownApproval | null {
  const { approval } = JSON.parse(details) as { readonly approval: ShownApproval | null }
  return approval
}

function notKept({ id, inputsHash, code }: KeptDecision): Problem {
  const name = toPublicId('txn', id)
  const why =
    code === DEADLINE_PASSED
      ? 'it was declined at its deadline, before any rule judged it'
      : inputsHash === null
        ? 'it was decided before this gateway stored inputs, or the inputs were too large'
        : 'retention has removed its inputs together with its details'
  return new Problem('inputs_not_kept', `${name} cannot be judged again: ${why}.`)
}

/**
 * The record or a version of a mandate was changed afterwards, so a new verdict would prove
 * nothing.
 */
function changed({ id }: KeptDecision): Problem {
  const name = toPublicId('txn', id)
  const detail = `${name} cannot be judged again: the stored inputs are not those of the decision. Someone has changed the record.`
  return new Problem('inputs_not_kept', detail)
}
