import { Problem } from '../base/errors.ts'
import type { Approval } from '../core/approvals/approval.ts'
import { askingHandsOf, handsOf, TAKEN_OVER_MS } from '../core/approvals/four-eyes.ts'
import { rolesWith } from '../core/people/role.ts'
import type { Principal } from '../core/principal.ts'
import { findAddresses, findPeopleBehind } from '../storage/approvals/answer-terms.ts'
import type { Queryable } from '../storage/engine/database.ts'
import { listLinksBehind } from '../storage/people/member-links.ts'

/** Returns why a person cannot decide a request; undefined if they can. */
export type RefuseOwn = (approval: Approval) => Problem | undefined

/**
 * Finds the persons behind both sides, so that a person cannot approve their own request. The
 * caller of a decision holds the organization's lock: creating or using a link waits for the end of
 * the transaction, or has committed before and is seen.
 */
export async function readFourEyes(
  db: Queryable,
  actor: Principal,
  approvals: readonly Approval[],
): Promise<RefuseOwn> {
  const { organizationId, id } = actor
  const askers = [...new Set(approvals.flatMap(({ askedBy }) => askedBy))]
  const people = await findPeopleBehind(db, organizationId, [...new Set([id, ...askers])])
  const answering = people.get(id)
  if (answering === undefined) return leadsToNobody
  const first = Math.min(...approvals.map(({ createdAt }) => createdAt))
  const known = [...new Set(people.values())]
  const links =
    approvals.length === 0
      ? []
      : await listLinksBehind(db, organizationId, known, first - TAKEN_OVER_MS)
  const members = new Set([...known, ...links.map(({ madeBy }) => madeBy)])
  const emails = await findAddresses(db, organizationId, [...members])
  const addressOf = (memberId: string): string => emails.get(memberId) ?? memberId

  return ({ askedBy, createdAt }) => {
    const asking = askedBy.flatMap((asker) => people.get(asker) ?? [])
    const addresses = new Set(asking.map(addressOf))
    if (addresses.has(addressOf(answering))) return samePerson(actor)
    const hands = [...handsOf(answering, links, createdAt)].map(addressOf)
    if (hands.some((hand) => addresses.has(hand))) return linkedByAsker()
    const askingHands = asking.flatMap((asker) => [...askingHandsOf(asker, links, createdAt)])
    return askingHands.some((hand) => hands.includes(addressOf(hand)))
      ? linkedByAnswerer()
      : undefined
  }
}

function samePerson({ kind }: Principal): Problem {
  const who =
    kind === 'key'
      ? 'The member who requested the approval created this key'
      : 'You requested the approval'
  return refusal(
    'same_person',
    `${who}: a key counts as the member who created it, directly or through other keys.`,
  )
}

function linkedByAsker(): Problem {
  return refusal(
    'link_by_asker',
    'After the request was opened, the requester created an invitation or a password-reset link for the deciding member, or that member used a reset link from the requester.',
  )
}

function linkedByAnswerer(): Problem {
  return refusal(
    'link_by_answerer',
    'The deciding member created a password-reset link for the requester, less than 7 days before the request was opened or after it.',
  )
}

function leadsToNobody(): Problem {
  return refusal(
    'no_person',
    'No member created this key, directly or through other keys: the operator did. Decide in a session, or with a key that a member created.',
  )
}

function refusal(why: string, sentence: string): Problem {
  const answeringRoles = rolesWith('approvals:write')
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(answeringRoles)
  return new Problem(
    'four_eyes_required',
    `The organization requires four eyes. ${sentence} Another member with the role ${roles} must decide.`,
    { extra: { why, answeringRoles } },
  )
}
