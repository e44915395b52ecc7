import type { Reconciled } from '@purser/server'

/** Returns the text for the case that everything matches. */
export function toReconciledText({ organizationId, counts }: Reconciled): string {
  const lines = [
    ['organization', organizationId],
    ['leaves', `${counts.leaves}`],
    ['rows', `${counts.rows}, in tables that people can change`],
    ['transactions', `${counts.transactions}`],
    ['budgets', `${counts.budgets}, and ${counts.counters} limit counters`],
    ['not sealed yet', `${counts.unsealed}`],
    ['pruned', `${counts.pruned}`],
    ['older', `${counts.older} from before this version, which no leaf covers in full`],
    ['not added up', `${counts.uncounted}`],
  ]
  const table = lines.map(([name = '', text]) => `  ${name.padEnd(16)}${text}`)
  return `Everything matches.\n\n${table.join('\n')}\n`
}
