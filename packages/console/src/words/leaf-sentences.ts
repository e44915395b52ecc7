import type { AuditEntry } from '@purser/sdk'
import { CHANGE_TELLERS } from './leaf/changes.ts'
import { EVENT_TELLERS } from './leaf/events.ts'
import {
  fieldsOf,
  type LeafIcon,
  type LeafNames,
  type LeafSpend,
  numberOf,
  type Piece,
  type Told,
  textOf,
  unitsOf,
} from './leaf/pieces.ts'
import { shortId } from './text.ts'
import { readable } from './words.ts'

/** A leaf as a sentence: the actor and the action. */
export interface LeafSentence {
  readonly who: string
  readonly what: readonly Piece[]
  readonly icon: LeafIcon
}

type Entry = Pick<AuditEntry, 'kind' | 'subject' | 'actorId' | 'actorName' | 'payload'>

const CHANGE = 'change.'

/** The sentence of a leaf, also for one whose payload was removed and for a kind not known here. */
export function leafSentence(entry: Entry, names: LeafNames): LeafSentence {
  const who = actorName(entry, names)
  if (entry.payload === null) {
    const what = `${kindWords(entry.kind).toLowerCase()}, ${shortId(entry.subject)}. Details removed`
    return { who, what: [what], icon: 'removed' }
  }
  const told = tell(entry, names)
  if (told) return { who: told.who ?? who, what: told.what, icon: told.icon }
  const what = [`${kindWords(entry.kind).toLowerCase()} `, { strong: shortId(entry.subject) }]
  return { who, what, icon: 'edit' }
}

/** The kinds of leaves that have a sentence. */
export const TOLD_KINDS: readonly string[] = [
  ...Object.keys(EVENT_TELLERS),
  ...Object.keys(CHANGE_TELLERS).map((kind) => `${CHANGE}${kind}`),
]

function tell({ kind, subject, payload }: Entry, names: LeafNames): Told | undefined {
  const fields = fieldsOf(payload)
  if (!kind.startsWith(CHANGE)) {
    return EVENT_TELLERS[kind]?.({ kind, subject, payload: fields }, names)
  }
  const [before, after] = [fieldsOf(fields['before']), fieldsOf(fields['after'])]
  return CHANGE_TELLERS[kind.slice(CHANGE.length)]?.({ kind, subject, before, after }, names)
}

/** The actor in words: an agent, a member, `Key “ci”`, the operator, or Purser itself. */
export function actorName(entry: Entry, names: LeafNames): string {
  const { actorId, actorName: current } = entry
  const told = textOf(fieldsOf(entry.payload?.['actor'])['name'])
  return actorWords(actorId, told ?? current ?? (actorId ? names.nameOf(actorId) : undefined))
}

/** An actor by its id and, where it has one, its name. */
export function actorWords(id: string | null, name: string | null | undefined): string {
  if (id === null || id === 'system') return 'Purser'
  if (id === 'cli') return 'The operator'
  if (id.startsWith('key_')) return name ? `Key “${name}”` : `Key ${shortId(id)}`
  return name ?? shortId(id)
}

/** The kind of a leaf in words: "Mandate updated", "Transaction approved". */
export function kindWords(kind: string): string {
  return readable(kind.startsWith(CHANGE) ? kind.slice(CHANGE.length) : kind)
}

/** The spends that leaves are about, by transaction and approval: later leaves name only the id. */
export function spendsOf(entries: readonly AuditEntry[]): ReadonlyMap<string, LeafSpend> {
  const spends = new Map<string, LeafSpend>()
  for (const { kind, subject, payload } of entries) {
    const fields = fieldsOf(payload)
    const isApproval = kind.startsWith('approval.')
    const source = isApproval ? fieldsOf(fields['outcome']) : fields
    const amount = isApproval ? numberOf(source['amount']) : unitsOf(source['amountMicros'])
    const vendor = textOf(source['vendor'])
    if (amount === undefined || vendor === undefined) continue
    spends.set(subject, {
      ...{ amount, vendor },
      currency: textOf(source['currency']) ?? null,
      agentId: textOf(source['agentId']) ?? null,
    })
  }
  return spends
}
