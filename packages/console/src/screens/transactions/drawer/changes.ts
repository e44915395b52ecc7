import type { Transaction } from '@purser/sdk'
import { formatMoney } from '../../../words/money.ts'
import { PATH_WORDS } from '../../../words/words.ts'

export type ChangeKind = 'settle' | 'void' | 'refund'

export interface PossibleChange {
  readonly kind: ChangeKind
  /** Why it cannot be done here, as a sentence. */
  readonly reason: string | undefined
}

/** The changes that a person can make to the money of a transaction. */
export function changesOf({ status, path }: Transaction): readonly PossibleChange[] {
  if (status === 'held') {
    return [
      { kind: 'settle', reason: undefined },
      { kind: 'void', reason: undefined },
    ]
  }
  if (status === 'expired') return [{ kind: 'settle', reason: undefined }]
  if (status !== 'settled' && status !== 'partially_refunded') return []
  const reason = path === 'card' ? 'The issuer reports the refunds of card payments.' : undefined
  return [{ kind: 'refund', reason }]
}

/** The words of a dialog: the effect, the budget, and whether it can be undone. */
export interface ChangeWords {
  readonly title: string
  readonly effect: string
  readonly action: string
  /** The largest amount; null if the change has no amount. */
  readonly most: number | null
  readonly amountLabel: string
  /** Closing a hold whose outcome the gateway cannot find out needs a proof or a reason. */
  readonly proof: { readonly label: string; readonly help: string } | null
}

export function changeWords(kind: ChangeKind, transaction: Transaction): ChangeWords {
  const { amount, currency, vendor, heldAmount, settledAmount, refundedAmount, path } = transaction
  const isOwnPath = path === 'evaluate'
  const held = heldAmount > 0 ? heldAmount : amount
  if (kind === 'settle') {
    return {
      title: `Settle the hold at ${vendor}?`,
      effect:
        transaction.status === 'expired'
          ? 'The hold has expired, but the money has moved. The amount counts in the budget, even if it exceeds it. A settled spend can be refunded, but not held again.'
          : 'The amount that was paid counts as spent. The rest of the hold returns to the budget at once. A settled spend can be refunded, but not held again.',
      action: 'Settle the hold',
      most: held,
      amountLabel: 'Amount that was paid',
      proof: isOwnPath
        ? null
        : {
            label: 'Proof of payment',
            help: `The gateway settles ${PATH_WORDS[path]} payments by itself. Close this one by hand only with the hash on the chain, the id of the order or the id of the capture.`,
          },
    }
  }
  if (kind === 'void') {
    return {
      title: `Void the hold of ${formatMoney(held, currency)} at ${vendor}?`,
      effect:
        'No money moved: the whole amount returns to the budget at once. A voided hold cannot be settled.',
      action: 'Void the hold',
      ...{ most: null, amountLabel: '' },
      proof: isOwnPath
        ? null
        : {
            label: 'Why no money moved',
            help: 'The gateway records this reason. Possible one day after the payment has expired.',
          },
    }
  }
  const left = Math.round((settledAmount - refundedAmount) * 1e6) / 1e6
  return {
    title: `Refund the spend at ${vendor}?`,
    effect:
      'The amount returns to the budget of the mandate, if its period still runs. Limits still count the spend. The gateway moves no money: the vendor does. A refund cannot be undone.',
    action: 'Refund the spend',
    most: left,
    amountLabel: 'Amount that came back',
    proof: null,
  }
}
