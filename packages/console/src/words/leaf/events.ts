import { formatCount, formatMoney } from '../money.ts'
import { shortId } from '../text.ts'
import { codeWord } from '../words.ts'
import {
  commented,
  type Fields,
  fieldsOf,
  type LeafNames,
  numberOf,
  type Piece,
  spendWords,
  type Told,
  textOf,
  unitsOf,
} from './pieces.ts'
import { signInWords } from './sign-ins.ts'

export interface EventLeaf {
  readonly kind: string
  readonly subject: string
  readonly payload: Fields
}

type Teller = (leaf: EventLeaf, names: LeafNames) => Told

/** Decisions and the other events, which no person or key made. */
export const EVENT_TELLERS: Readonly<Record<string, Teller>> = {
  'log.begun': () => ({ what: ['began this audit log'], icon: 'log' }),
  'transaction.approved': approved,
  'transaction.rejected': rejected,
  'transaction.settled': (leaf, names) => {
    const { amount, at } = outcomeSpend(leaf, names, 'settledAmount')
    return { what: [`settled ${amount}${at}`, ...agentOf(leaf, names)], icon: 'spent' }
  },
  'transaction.voided': (leaf, names) => ({
    what: [`released the hold of ${spendOrId(leaf.subject, names)}`],
    icon: 'back',
  }),
  'transaction.expired': (leaf, names) => ({
    what: [`released the expired hold of ${spendOrId(leaf.subject, names)}`],
    icon: 'back',
  }),
  'transaction.refunded': (leaf, names) => {
    const { amount, at } = outcomeSpend(leaf, names, 'refundedAmount')
    const from = at.replace(' at ', ' from ')
    return {
      what: [`recorded a refund of ${amount}${from}`, ...agentOf(leaf, names)],
      icon: 'back',
    }
  },
  'transaction.adjusted': (leaf, names) => ({
    what: [`changed the hold of ${spendOrId(leaf.subject, names)}`],
    icon: 'held',
  }),
  'mandate.budget.warning': (leaf, names) => {
    const { spent, total } = budgetOf(leaf, names)
    return { ...byAgent(leaf, names), what: [`has used ${spent} of its ${total}`], icon: 'warning' }
  },
  'mandate.budget.exhausted': (leaf, names) => {
    const { total } = budgetOf(leaf, names)
    return { ...byAgent(leaf, names), what: [`used up its budget of ${total}`], icon: 'warning' }
  },
  'approval.requested': (leaf, names) => {
    const { amount, currency, vendor } = fieldsOf(leaf.payload['outcome'])
    const what = `requested approval for ${spendOf(amount, currency, vendor)}`
    return { ...byAgent(leaf, names), what: [what], icon: 'person' }
  },
  'approval.decided': approvalDecided,
  'usage.warning': (leaf) => usage(leaf, ''),
  'usage.exhausted': (leaf) => usage(leaf, ': the plan is used up'),
  'card.flagged': (leaf) => {
    const { message } = fieldsOf(leaf.payload['outcome'])
    const what = textOf(message) ?? 'an event that a person should check'
    return { who: 'Card issuer', what: [`reported: ${what}`], icon: 'card' }
  },
  'sign_in.succeeded': signIn,
  'sign_in.failed': signIn,
  'sign_in.locked': signIn,
  'sign_in.refused': signIn,
  'sign_in.reset': signIn,
}

function approved({ payload }: EventLeaf): Told {
  const spend = decisionSpend(payload)
  if (payload['code'] === 'recorded') {
    return { what: [`spent ${spend} without a decision`], icon: 'warning' }
  }
  const isHeld = payload['status'] === 'held'
  return { what: [`${isHeld ? 'held' : 'spent'} ${spend}`], icon: isHeld ? 'held' : 'spent' }
}

function rejected({ payload }: EventLeaf): Told {
  const code = textOf(payload['code']) ?? ''
  const spend = decisionSpend(payload)
  if (code === 'approval_required') {
    return { what: [`needs approval for ${spend}`], icon: 'person' }
  }
  return { what: [`tried to spend ${spend}: ${codeWord(code).toLowerCase()}`], icon: 'rejected' }
}

function approvalDecided(leaf: EventLeaf): Told {
  const outcome = fieldsOf(leaf.payload['outcome'])
  const { decision, amount, currency, vendor, comment, decidedBy } = outcome
  const spend = spendOf(amount, currency, vendor)
  if (decision === 'expired') {
    return {
      what: [`closed the approval of ${spend}: it expired without an answer`],
      icon: 'person',
    }
  }
  const noun = decision === 'reject' || decision === 'rejected' ? 'rejection' : 'approval'
  const by = textOf(decidedBy)
  const what = `recorded the ${noun} of ${spend}${by === undefined ? '' : ` by ${by}`}`
  return { what: [what, ...commented(comment)], icon: 'person' }
}

function signIn({ kind, payload }: EventLeaf, names: LeafNames): Told {
  const outcome = fieldsOf(payload['outcome'])
  const member = textOf(outcome['memberId'])
  const who = (member && names.nameOf(member)) ?? textOf(outcome['email'])
  return { ...(who ? { who } : {}), what: signInWords(kind, outcome, names), icon: 'sign_in' }
}

function usage({ payload }: EventLeaf, end: string): Told {
  const { used, limit } = fieldsOf(payload['outcome'])
  const figures = `${formatCount(numberOf(used) ?? 0)} of ${formatCount(numberOf(limit) ?? 0)}`
  return { what: [`counted ${figures} evaluations of this month${end}`], icon: 'warning' }
}

/** "84.00 USD at hetzner.com", from the payload of a decision. */
function decisionSpend(payload: Fields): string {
  return spendOf(unitsOf(payload['amountMicros']), payload['currency'], payload['vendor'])
}

function spendOf(amount: unknown, currency: unknown, vendor: unknown): string {
  return spendWords({
    amount: numberOf(amount) ?? 0,
    currency: textOf(currency) ?? null,
    vendor: textOf(vendor) ?? 'an unknown vendor',
    agentId: null,
  })
}

/** The spend of a transaction or approval, else its id. */
export function spendOrId(id: string, names: LeafNames): string {
  const spend = names.spendOf(id)
  return spend ? spendWords(spend) : shortId(id)
}

function outcomeSpend(leaf: EventLeaf, names: LeafNames, field: string) {
  const spend = names.spendOf(leaf.subject)
  const amount = numberOf(fieldsOf(leaf.payload['outcome'])[field]) ?? 0
  return {
    amount: formatMoney(amount, spend?.currency ?? null),
    at: spend ? ` at ${spend.vendor}` : ` of ${shortId(leaf.subject)}`,
  }
}

function agentOf({ payload }: EventLeaf, names: LeafNames): readonly Piece[] {
  const id = textOf(payload['agentId'])
  const name = id && names.nameOf(id)
  return name ? [' for ', { strong: name }] : []
}

function byAgent({ payload }: EventLeaf, names: LeafNames): { readonly who: string } {
  const id = textOf(payload['agentId']) ?? textOf(fieldsOf(payload['outcome'])['agentId'])
  return { who: (id && names.nameOf(id)) ?? 'An agent' }
}

function budgetOf({ payload, subject }: EventLeaf, names: LeafNames) {
  const currency = names.currencyOf(textOf(payload['mandateId']) ?? subject) ?? null
  const money = (micros: unknown) => formatMoney(unitsOf(micros) ?? 0, currency)
  return { spent: money(payload['budgetSpentMicros']), total: money(payload['budgetTotalMicros']) }
}
