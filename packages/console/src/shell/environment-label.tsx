import { useQuery } from '@tanstack/react-query'
import { queries } from '../data/queries.ts'

const WORDS = { development: 'Test', production: 'Live', demo: 'Demo' } as const

/** Whether this gateway is for tests, for real money, or a demonstration. */
export function EnvironmentLabel() {
  const { data } = useQuery(queries.state())
  if (!data) return <span className="block h-4" />
  return (
    <span
      className={
        data.environment === 'production'
          ? 'inline-flex rounded-1 bg-ok-soft px-1.5 text-micro font-medium text-ok shadow-[inset_0_0_0_1px_var(--ok-line)]'
          : 'inline-flex rounded-1 bg-[repeating-linear-gradient(-45deg,var(--done-soft)_0_4px,var(--canvas)_4px_8px)] px-1.5 text-micro font-medium text-ink-2 shadow-[inset_0_0_0_1px_var(--line-strong)]'
      }
    >
      {WORDS[data.environment]}
    </span>
  )
}
