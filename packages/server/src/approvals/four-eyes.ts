import type { Approval } from '../core/approvals/approval.ts'
import { handsOf } from '../core/approvals/four-eyes.ts'
import { rolesWith } from '../core/people/role.ts'
import type { Principal } from '../core/principal.ts'
import { Problem } from '../errors.ts'
import { findAddresses, findPeopleBehind } from '../storage/approvals/answer-terms.ts'
import type { Tx } from '../storage/engine/database.ts'
import { listLinksBehind } from '../storage/people/member-links.ts'

/** Why somebody cannot answer a request; undefined if they can. */
export type RefuseOwn = (approval: Approval) => Problem | undefined

/**
 * Finds out who the persons are on both sides, so that nobody answers what they have asked themselves.
 * The caller holds the organization: whoever makes a link or a key waits for the end of the
 * transaction, or was there first and is seen.
 */
export async function readFourEyes(
  tx: Tx,
  actor: Principal,
  approvals: readonly Approval[],
): Promise<RefuseOwn> {
  const { organizationId, id } = actor
  const asking = [...new Set(approvals.flatMap(({ askedBy }) => askedBy))]
  const people = await findPeopleBehind(tx, organizationId, [...new Set([id, ...asking])])
  const answering = people.get(id)
  if (answering === undefined) return leadsToNobody
  const first = Math.min(...approvals.map(({ createdAt }) => createdAt))
  const links =
    approvals.length === 0 ? [] : await listLinksBehind(tx, organizationId, answering, first)
  const members = new Set([...people.values(), ...links.map(({ madeBy }) => madeBy)])
  const addresses = await findAddresses(tx, organizationId, [...members])
  const addressOf = (memberId: string): string => addresses.get(memberId) ?? memberId

  return ({ askedBy, createdAt }) => {
    const askers = new Set(askedBy.flatMap((asker) => people.get(asker) ?? []).map(addressOf))
    if (askers.has(addressOf(answering))) return samePerson(actor)
    const hands = [...handsOf(answering, links, createdAt)]
    return hands.some((hand) => askers.has(addressOf(hand))) ? linkedByAsker() : undefined
  }
}

function samePerson({ kind }: Principal): Problem {
  const who = kind === 'key' ? 'The key leads to the member who asked' : 'You are the one who asked'
  return refusal(
    'same_person',
    `${who}: a key counts as the member who made it, also through other keys.`,
  )
}

function linkedByAsker(): Problem {
  return refusal(
    'link_by_asker',
    'Whoever asked made the invitation or the reset link of the member who answers, after the request was opened.',
  )
}

function leadsToNobody(): Problem {
  return refusal(
    'no_person',
    'The key leads to no member, because the operator made it or the key that made it. Answer with a session, or with a key that a member made.',
  )
}

function refusal(why: string, sentence: string): Problem {
  const answeringRoles = rolesWith('approvals:write')
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(answeringRoles)
  return new Problem(
    'four_eyes_required',
    `The organization requires four eyes. ${sentence} Another member with the role ${roles} has to decide.`,
    { extra: { why, answeringRoles } },
  )
}
