import { formatMoney } from '../money.ts'
import { shortId } from '../text.ts'
import { formatDay } from '../time.ts'
import { spendOrId } from './events.ts'
import { changeWords, fieldChanges } from './fields.ts'
import { PEOPLE_TELLERS } from './people.ts'
import {
  type ChangeLeaf,
  type ChangeTeller,
  commented,
  type LeafIcon,
  type LeafNames,
  named,
  numberOf,
  type Piece,
  type Told,
  textOf,
} from './pieces.ts'

/** The sentences of change records, by the kind without `change.`. */
export const CHANGE_TELLERS: Readonly<Record<string, ChangeTeller>> = {
  'agent.created': did('registered the agent', 'agent'),
  'agent.updated': switched('agent'),
  'agent.deleted': did('deleted the agent', 'removed'),
  'agent.tokens_revoked': did('revoked the mandate tokens of', 'removed'),
  'mandate.created': (leaf, names) => ({
    what: ['created the draft ', subjectOf(leaf, names), ...forAgent(leaf, names)],
    icon: 'mandate',
  }),
  'mandate.updated': changed('changed', 'edit'),
  'mandate.activated': (leaf, names) => {
    const version = numberOf(leaf.after['version'])
    const words = version === undefined ? '' : `, version ${version}`
    return { what: ['activated ', subjectOf(leaf, names), words], icon: 'mandate' }
  },
  'mandate.revoked': did('revoked', 'removed'),
  'mandate.budget_changed': changed('changed', 'edit'),
  'mandate.deleted': did('deleted the draft', 'removed'),
  'mandate.archived': did('archived', 'removed'),
  'mandate.tokens_revoked': did('revoked the tokens of', 'removed'),
  'mandate_token.revoked': ({ subject }) => ({
    what: [`revoked the mandate token ${shortId(subject)}`],
    icon: 'removed',
  }),
  'payment_token.created': token('created a payment token for'),
  'payment_token.handed_out': token('handed out a payment token for'),
  'payment_token.ended': token('ended a payment token for'),
  'vendor.created': ({ subject, after }, names) => {
    const category = textOf(after['category'])
    const use = category === undefined ? '' : `, for ${category}`
    return {
      what: ['added ', named(subject, names, after['host']), ` to the directory${use}`],
      icon: 'vendor',
    }
  },
  'vendor.updated': (leaf, names) => ({
    what: ['changed ', named(leaf.subject, names), ...differences(leaf, names)],
    icon: 'vendor',
  }),
  'api_key.created': (leaf, names) => ({
    what: ['created the key ', subjectOf(leaf, names), ...forAgents(leaf, names)],
    icon: 'key',
  }),
  'api_key.replaced': did('rotated the key', 'key'),
  'api_key.revoked': did('revoked the key', 'key'),
  'wallet.created': did('created the wallet', 'wallet'),
  'card.created': (leaf, names) => ({
    what: ['registered the card ', cardOf(leaf, names), ...forAgent(leaf, names)],
    icon: 'card',
  }),
  'card.updated': switched('card'),
  'card_connection.created': did('connected the card issuer', 'card'),
  'card_connection.updated': changed('changed the connection', 'card'),
  'organization.created': did('created the organization', 'organization'),
  'organization.updated': organizationUpdated,
  'organization.plan_changed': ({ before, after }) => ({
    what: [
      `changed the plan: ${textOf(before['plan']) ?? 'none'} → ${textOf(after['plan']) ?? 'none'}`,
    ],
    icon: 'organization',
  }),
  'organization.webhook_secret_rotated': () => ({
    what: ['rotated the webhook secret'],
    icon: 'webhook',
  }),
  'organization.pruned': pruned,
  'transaction.settled': transaction('settled', 'settledAmount', 'spent'),
  'transaction.voided': ({ subject }, names) => ({
    what: [`voided the hold of ${spendOrId(subject, names)}`],
    icon: 'back',
  }),
  'transaction.refunded': transaction('refunded', 'refundedAmount', 'back'),
  'approval.decided': ({ subject, after }, names) => ({
    what: [
      `${after['status'] === 'rejected' ? 'rejected' : 'approved'} ${spendOrId(subject, names)}`,
      ...commented(after['comment']),
    ],
    icon: 'person',
  }),
  ...PEOPLE_TELLERS,
}

/** A verb and the name of the thing. */
function did(verb: string, icon: LeafIcon): ChangeTeller {
  return (leaf, names) => ({ what: [`${verb} `, subjectOf(leaf, names)], icon })
}

/** A verb, the name of the thing, and the differences. */
function changed(verb: string, icon: LeafIcon): ChangeTeller {
  return (leaf, names) => ({
    what: [`${verb} `, subjectOf(leaf, names), ...differences(leaf, names)],
    icon,
  })
}

/** Agents and cards are paused and resumed more often than they are changed otherwise. */
function switched(thing: 'agent' | 'card'): ChangeTeller {
  return (leaf, names) => {
    const name = thing === 'card' ? cardOf(leaf, names) : subjectOf(leaf, names)
    const object = thing === 'card' ? 'the card ' : ''
    switch (leaf.after['status']) {
      case 'paused':
        return { what: [`paused ${object}`, name, ...commented(reasonOf(leaf))], icon: 'paused' }
      case 'active':
        return { what: [`resumed ${object}`, name], icon: 'resumed' }
      case 'closed':
        return { what: [`closed ${object}`, name, ...commented(reasonOf(leaf))], icon: 'removed' }
      default:
        return { what: [`changed ${object}`, name, ...differences(leaf, names)], icon: 'edit' }
    }
  }
}

function reasonOf({ after }: ChangeLeaf): unknown {
  return after['statusReason'] ?? after['reason']
}

function organizationUpdated(leaf: ChangeLeaf, names: LeafNames): Told {
  const { after } = leaf
  if (after['frozen'] === true) {
    return { what: ['froze all spending', ...commented(after['frozenReason'])], icon: 'paused' }
  }
  if (after['frozen'] === false) return { what: ['resumed all spending'], icon: 'resumed' }
  if ('webhookUrl' in after) {
    const url = textOf(after['webhookUrl'])
    if (url === undefined) return { what: ['removed the webhook URL'], icon: 'webhook' }
    return { what: ['changed the webhook URL to ', { strong: url }], icon: 'webhook' }
  }
  if ('webhookEndpoints' in after || 'webhookEndpoints' in leaf.before) {
    return { what: ['changed the webhook endpoints'], icon: 'webhook' }
  }
  return { what: ['changed the organization', ...differences(leaf, names)], icon: 'organization' }
}

function pruned({ after }: ChangeLeaf, { timezone }: LeafNames): Told {
  const day = (at: unknown) => formatDay(new Date(textOf(at) ?? 0), timezone, new Date(0))
  if (after['detailsBefore'] !== undefined) {
    return { what: [`removed details from before ${day(after['detailsBefore'])}`], icon: 'removed' }
  }
  if (after['eventsBefore'] !== undefined) {
    return { what: [`removed events from before ${day(after['eventsBefore'])}`], icon: 'removed' }
  }
  return { what: ['marked older holds as possibly adjusted without a leaf'], icon: 'log' }
}

function token(verb: string): ChangeTeller {
  return ({ after }) => {
    const amount = formatMoney(numberOf(after['amount']) ?? 0, textOf(after['currency']) ?? null)
    return { what: [`${verb} ${amount} at ${textOf(after['vendor']) ?? 'a shop'}`], icon: 'card' }
  }
}

function transaction(verb: string, field: string, icon: LeafIcon): ChangeTeller {
  return ({ subject, before, after }, names) => {
    const spend = names.spendOf(subject)
    const moved = (numberOf(after[field]) ?? 0) - (numberOf(before[field]) ?? 0)
    const at = spend ? `at ${spend.vendor}` : `of ${shortId(subject)}`
    return { what: [`${verb} ${formatMoney(moved, spend?.currency ?? null)} ${at}`], icon }
  }
}

function subjectOf({ subject, before, after }: ChangeLeaf, names: LeafNames): Piece {
  return named(subject, names, after['name'] ?? before['name'])
}

/** "Hotels •••• 9920". */
function cardOf({ subject, before, after }: ChangeLeaf, names: LeafNames): Piece {
  const label = textOf(after['label'] ?? before['label'])
  const last4 = textOf(after['last4'])
  const told = [label, last4 === undefined ? undefined : `•••• ${last4}`].filter(Boolean).join(' ')
  return named(subject, names, told)
}

function forAgent({ after }: ChangeLeaf, names: LeafNames): readonly Piece[] {
  const id = textOf(after['agentId'])
  return id === undefined ? [] : [' for ', named(id, names)]
}

function forAgents({ after }: ChangeLeaf, names: LeafNames): readonly Piece[] {
  const ids = Array.isArray(after['agentIds']) ? after['agentIds'].map(String) : []
  const [first] = ids
  if (first === undefined) return []
  const more = ids.length === 1 ? [] : [` and ${ids.length - 1} more`]
  return [' for ', named(first, names), ...more]
}

function differences({ subject, before, after }: ChangeLeaf, names: LeafNames): readonly Piece[] {
  const words = { ...names, currency: names.currencyOf(subject) }
  return changeWords(fieldChanges(before, after, words))
}
