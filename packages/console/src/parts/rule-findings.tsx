import type { Finding } from '@purser/sdk'
import { Check, Flag, type LucideIcon, UserRound, X } from 'lucide-react'
import { findingFacts, findingName, isRatio, overBy } from '../words/findings.ts'
import type { Tone } from '../words/words.ts'

interface RuleFindingsProps {
  readonly rules: readonly Finding[]
  readonly currency: string | null
}

const OUTCOMES: Readonly<
  Record<
    Finding['outcome'],
    { readonly icon: LucideIcon; readonly tone: Tone; readonly word: string }
  >
> = {
  fail: { icon: X, tone: 'no', word: 'Failed' },
  escalate: { icon: UserRound, tone: 'ask', word: 'Needs approval' },
  flag: { icon: Flag, tone: 'ask', word: 'Flagged' },
  pass: { icon: Check, tone: 'ok', word: 'Passed' },
}

const ORDER: readonly Finding['outcome'][] = ['fail', 'escalate', 'flag', 'pass']

/** Every rule of a decision: first those that failed, then those that ask, flag and pass. */
export function RuleFindings({ rules, currency }: RuleFindingsProps) {
  const sorted = rules.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  return (
    <ul>
      {sorted.map((finding) => (
        <li key={finding.id}>
          {finding.outcome === 'fail' ? (
            <Failed finding={finding} currency={currency} />
          ) : (
            <Line finding={finding} currency={currency} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface OneProps {
  readonly finding: Finding
  readonly currency: string | null
}

function Failed({ finding, currency }: OneProps) {
  return (
    <div className="tone-no -mx-2.5 my-1 rounded-3 border border-tone-line bg-tone-soft px-2.5 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Name finding={finding} />
        <span className="ml-auto text-right">
          <Facts finding={finding} currency={currency} />
        </span>
      </div>
      {isRatio(finding) ? <RatioBar finding={finding} /> : null}
      <p className="mt-1 pl-7 text-small text-ink-2">
        {overBy(finding, currency) ?? finding.message}
      </p>
    </div>
  )
}

function Line({ finding, currency }: OneProps) {
  return (
    <div className="border-b border-line py-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Name finding={finding} />
        <span className="ml-auto max-w-full truncate text-right text-small text-ink-2">
          <Facts finding={finding} currency={currency} />
        </span>
      </div>
      {finding.outcome === 'pass' ? null : (
        <p className="mt-0.5 pl-7 text-small text-ink-2">{finding.message}</p>
      )}
    </div>
  )
}

function Name({ finding }: { readonly finding: Finding }) {
  const { icon: Icon, tone, word } = OUTCOMES[finding.outcome]
  const parent = finding.id.includes('/')
  return (
    <span className={`tone-${tone} flex items-baseline gap-2.5`}>
      <Icon size={16} strokeWidth={2} className="flex-none translate-y-0.5 text-tone" aria-hidden />
      <span className="sr-only">{word}:</span>
      <span className={finding.outcome === 'pass' ? '' : 'font-strong'}>
        {findingName(finding)}
        {parent ? <span className="font-regular text-ink-3"> of a parent mandate</span> : null}
      </span>
    </span>
  )
}

function Facts({ finding, currency }: OneProps) {
  return <bdi>{findingFacts(finding, currency)}</bdi>
}

/** The amount against the limit: the part above it is darker. */
function RatioBar({ finding: { observed, limit } }: { readonly finding: Finding }) {
  if (typeof observed !== 'number' || typeof limit !== 'number') return null
  const most = Math.max(observed, limit, 1e-6)
  const at = (limit / most) * 100
  const to = (observed / most) * 100
  return (
    <svg
      aria-hidden
      className="mt-1.5 ml-7 block h-2.5 w-[calc(100%-1.75rem)]"
      preserveAspectRatio="none"
      viewBox="0 0 100 10"
    >
      <rect y="2" width="100" height="6" rx="0.6" className="fill-chart-ghost" />
      <rect y="2" width={Math.min(at, to)} height="6" className="fill-tone-fill opacity-65" />
      <rect x={at} y="2" width={Math.max(0, to - at)} height="6" className="fill-tone-fill" />
      <rect x={Math.min(at, 99.4)} width="0.6" height="10" className="fill-ink" />
    </svg>
  )
}
