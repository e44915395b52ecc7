import { Flag, UserRound } from 'lucide-react'
import {
  compareSentences,
  type MarkedSentence,
  mandateSentences,
} from '../../words/mandate-words.ts'
import type { Terms } from '../../words/term-words.ts'
import { SentenceText } from './sentence.tsx'

interface MandateWordsProps {
  readonly terms: Terms
  /** An earlier version. The page marks the differences from it. */
  readonly before?: Terms | undefined
  /** Shows only the sentences that differ. */
  readonly changesOnly?: boolean | undefined
  readonly label?: string | undefined
  /** The notes after the sentences of a rule, by its id: "46.00 used today". */
  readonly notes?: ReadonlyMap<string, string> | undefined
}

/** A mandate as sentences. With an earlier version, added and removed sentences are marked. */
export function MandateWords({ terms, before, changesOnly, label, notes }: MandateWordsProps) {
  const all: readonly MarkedSentence[] = before
    ? compareSentences(before, terms)
    : mandateSentences(terms).map((one) => ({ ...one, change: 'same' as const }))
  const shown = changesOnly ? all.filter(({ change }) => change !== 'same') : all
  return (
    <ul aria-label={label ?? 'The mandate in words'} className="min-w-0">
      {shown.map((sentence) => (
        <Line
          key={`${sentence.key}:${sentence.change}`}
          note={notes?.get(sentence.key.split(':')[1] ?? '')}
          sentence={sentence}
        />
      ))}
    </ul>
  )
}

const ROW = 'relative flex gap-1.5 rounded-1 py-[2.5px] text-ink-2 wrap-anywhere'
const LOOK = {
  same: `${ROW} pl-4 before:absolute before:top-[10.5px] before:left-1 before:size-1 before:rounded-full before:bg-line-control`,
  new: `${ROW} -mx-2 my-0.5 bg-ok-soft pr-2 pl-6`,
  old: `${ROW} -mx-2 my-0.5 bg-no-soft pr-2 pl-6`,
}

interface LineProps {
  readonly sentence: MarkedSentence
  readonly note: string | undefined
}

function Line({ sentence: { change, parts, mark }, note }: LineProps) {
  const Icon = mark === 'approval' ? UserRound : Flag
  const text = <SentenceText parts={parts} />
  return (
    <li className={LOOK[change]}>
      {change === 'same' ? null : <Sign change={change} />}
      {mark ? (
        <Icon aria-hidden className="mt-0.75 flex-none text-ask" size={14} strokeWidth={1.75} />
      ) : null}
      <span className="min-w-0">
        {change === 'old' ? <del className="decoration-no-fill">{text}</del> : text}
        {note === undefined ? null : <span className="text-small text-ink-3"> {note}.</span>}
      </span>
    </li>
  )
}

function Sign({ change }: { readonly change: 'new' | 'old' }) {
  const isNew = change === 'new'
  return (
    <>
      <span aria-hidden className={`absolute left-2 font-strong ${isNew ? 'text-ok' : 'text-no'}`}>
        {isNew ? '+' : '−'}
      </span>
      <span className="sr-only">{isNew ? 'Added:' : 'Removed:'}</span>
    </>
  )
}
