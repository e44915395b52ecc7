import assert from 'node:assert/strict'
import { recordCodes } from '../../core/decision/decide.ts'
import { reach, type Target } from '../../core/decision/target.ts'
import type { Transaction } from '../../core/transaction.ts'
import { changeTransactions, type Place } from './change-transactions.ts'

/**
 * The target of each transaction, by id. A function is called once the transaction is locked, for
 * targets that depend on its state then.
 */
export type Targets = ReadonlyMap<string, Target | ((locked: Transaction) => Target)>

/**
 * Brings transactions to their targets, whatever their state was. They all belong to one purchase,
 * so the vendor's price is learned from their total. Money that moved is never refused: an amount
 * beyond the budget overdraws it.
 */
export async function adjustTransactions(
  place: Place,
  targets: Targets,
): Promise<readonly Transaction[]> {
  const missing = new Set(targets.keys())
  const changed = await changeTransactions(
    place,
    [...missing],
    (transaction, now) => {
      missing.delete(transaction.id)
      const planned = targets.get(transaction.id)
      if (!planned) return undefined
      const target = typeof planned === 'function' ? planned(transaction) : planned
      requireSound(transaction, target)
      return reach(transaction, target, now)
    },
    (changed, all) => {
      const others = all.filter(({ id }) => !changed.some(({ after }) => after.id === id))
      return [{ changed, others }]
    },
  )
  assert(missing.size === 0, 'money belongs to an existing transaction')
  return changed
}

/** A target that is impossible for money is a bug in the code that derived it. */
function requireSound({ decision, code }: Transaction, target: Target): void {
  const { held, captured, refunded, amount } = target
  assert(held >= 0n && refunded >= 0n, 'no amount of a target is below zero')
  assert(refunded <= captured, 'refunded money was captured before')
  const isMoney = held > 0n || captured > 0n
  assert(decision === 'approved' || !isMoney, 'money of a rejected spend is recorded separately')
  assert(
    amount === undefined || code === recordCodes.recorded.code,
    'only recorded money learns its amount later',
  )
}
