import type { Reconciled } from '@purser/server'

/** Returns the text for the case that everything agrees. */
export function toReconciledText({ organizationId, counts }: Reconciled): string {
  const lines = [
    ['organization', organizationId],
    ['leaves', `${counts.leaves}`],
    ['rows', `${counts.rows} that people set`],
    ['transactions', `${counts.transactions}`],
    ['budgets', `${counts.budgets}, and ${counts.counters} counters of limits`],
    ['not sealed yet', `${counts.unsealed}`],
    ['pruned', `${counts.pruned}`],
    ['older', `${counts.older} that no leaf says everything of, from before this version`],
    ['not summed up', `${counts.uncounted}`],
  ]
  const table = lines.map(([name = '', text]) => `  ${name.padEnd(16)}${text}`)
  return `Everything agrees.\n\n${table.join('\n')}\n`
}
