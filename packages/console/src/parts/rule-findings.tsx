import type { Finding, Rule } from '@purser/sdk'
import { Check, Flag, type LucideIcon, UserRound, X } from 'lucide-react'
import { TONE_CLASS } from '../ui/tone.ts'
import {
  type FindingContext,
  findingFacts,
  findingName,
  isParentRule,
  isRatio,
  overBy,
} from '../words/findings.ts'
import { tidySentence } from '../words/money.ts'
import type { Tone } from '../words/words.ts'
import { RatioBar } from './ratio-bar.tsx'
import { useTimezone } from './when.tsx'

interface RuleFindingsProps {
  readonly rules: readonly Finding[]
  readonly currency: string | null
  /** The rules that were judged, which make the words of limits exact. */
  readonly definitions?: readonly Rule[] | undefined
  /** When the spend was judged (ISO 8601), for "Budget of November". */
  readonly at?: string | undefined
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
export function RuleFindings({ rules, currency, definitions, at }: RuleFindingsProps) {
  const timezone = useTimezone()
  const date = at === undefined ? undefined : new Date(at)
  const sorted = rules.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  return (
    <ul className="flex flex-col">
      {sorted.map((finding) => {
        const rule = definitions?.find(({ id }) => id === finding.id)
        const context = { currency, rule, at: date, timezone }
        return (
          <li key={finding.id} className="group/rule" title={`Rule ${finding.id}`}>
            {finding.outcome === 'pass' ? (
              <Passed finding={finding} context={context} />
            ) : (
              <Panel finding={finding} context={context} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface OneProps {
  readonly finding: Finding
  readonly context: FindingContext
}

/** A rule that did not pass: the compared values, and by how much the spend is beyond the limit. */
function Panel({ finding, context }: OneProps) {
  const { tone } = OUTCOMES[finding.outcome]
  const over = finding.outcome === 'fail' ? overBy(finding, context) : undefined
  const sentence = over ?? tidySentence(finding.message, context.currency)
  return (
    <div
      className={`${TONE_CLASS[tone]} -mx-2.5 mb-1.5 rounded-3 border border-tone-line bg-tone-soft px-2.5 pt-2 pb-2.25`}
    >
      <Line finding={finding} context={context} />
      {finding.outcome === 'fail' && isRatio(finding) ? (
        <RatioBar observed={Number(finding.observed)} limit={Number(finding.limit)} />
      ) : null}
      <p className="mt-1 pl-6.5 text-small text-ink-2">{sentence}</p>
    </div>
  )
}

function Passed({ finding, context }: OneProps) {
  return (
    <div className="border-b border-line py-1.75 group-last/rule:border-b-0">
      <Line finding={finding} context={context} />
    </div>
  )
}

function Line({ finding, context }: OneProps) {
  const { icon: Icon, tone, word } = OUTCOMES[finding.outcome]
  const facts = findingFacts(finding, context)
  const isCode = finding.type === 'expression'
  return (
    <div className="flex flex-wrap items-baseline gap-x-3">
      <span
        className={`${TONE_CLASS[tone]} flex min-w-0 max-w-full flex-none items-baseline gap-2.5`}
      >
        <Icon
          size={16}
          strokeWidth={1.75}
          className="flex-none translate-y-0.75 text-tone"
          aria-hidden
        />
        <span className={finding.outcome === 'pass' ? '' : 'font-strong'}>
          <span className="sr-only">{word}: </span>
          {findingName(finding, context)}
          {isParentRule(finding) ? (
            <span className="font-regular text-ink-3"> · parent mandate</span>
          ) : null}
        </span>
      </span>
      <span
        // An amount is never cut.
        className={`min-w-0 max-w-full pl-6.5 text-small text-ink-2 max-phone:whitespace-normal ${isRatio(finding) ? '' : 'truncate'} ${isCode ? 'font-mono' : 'ml-auto text-right'}`}
        title={facts}
      >
        <Facts finding={finding} facts={facts} />
      </span>
    </div>
  )
}

/** The observed value of a failed comparison stands out. */
function Facts({ finding, facts }: { readonly finding: Finding; readonly facts: string }) {
  const [observed, limit] = facts.split(' of ')
  if (finding.outcome !== 'fail' || !isRatio(finding) || limit === undefined) {
    return <bdi>{facts}</bdi>
  }
  return (
    <bdi>
      <b className="text-ink">{observed}</b> of {limit}
    </bdi>
  )
}
