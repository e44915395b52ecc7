import { Anchor, Ban, Check, Hourglass, type LucideIcon, Undo2, UserRound, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { TONE_CLASS } from '../ui/tone.ts'
import { type VerdictKind, verdictWord } from '../words/verdict.ts'
import type { Tone } from '../words/words.ts'

export { type VerdictKind, verdictOf } from '../words/verdict.ts'

const SEALS: Readonly<Record<VerdictKind, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  approved: { icon: Check, tone: 'ok' },
  rejected: { icon: X, tone: 'no' },
  asked: { icon: UserRound, tone: 'ask' },
  held: { icon: Anchor, tone: 'held' },
  voided: { icon: Ban, tone: 'done' },
  expired: { icon: Hourglass, tone: 'done' },
  refunded: { icon: Undo2, tone: 'back' },
}

/** The colour and the word of a spend that is only tested. */
export function sealOf(kind: VerdictKind): { readonly tone: Tone; readonly word: string } {
  return { tone: SEALS[kind].tone, word: verdictWord(kind, true) }
}

interface VerdictProps {
  readonly kind: VerdictKind
  /** The decision in one sentence; the word of the verdict comes before it. */
  readonly sentence: string
  /** The level of the heading. */
  readonly as?: 'h2' | 'h3' | 'p'
  /** Nothing was decided, only tested: the seal is dashed, the word says "would". */
  readonly isTested?: boolean
  readonly children?: ReactNode
}

/** The seal and the sentence: the answer to "why?". */
export function Verdict(props: VerdictProps) {
  const { kind, sentence, as: Heading = 'h2', isTested = false, children } = props
  const { icon: Icon, tone } = SEALS[kind]
  const word = verdictWord(kind, isTested)
  return (
    <div className={`${TONE_CLASS[tone]} flex gap-3`}>
      <span
        className={`grid size-7.5 flex-none place-items-center rounded-2 border border-tone-line bg-tone-soft text-tone ${isTested ? 'border-dashed' : ''}`}
      >
        <Icon size={16} strokeWidth={2} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 pt-0.75">
        <Heading
          className={`${Heading === 'p' ? 'text-read' : 'text-lead'} tracking-tight text-pretty outline-none`}
          tabIndex={-1}
        >
          <b>{word}:</b> <bdi>{withoutWord(sentence, word)}</bdi>
        </Heading>
        {children}
      </div>
    </div>
  )
}

/** The gateway's sentence may begin with the same word. */
function withoutWord(sentence: string, word: string): string {
  const rest = sentence.replace(new RegExp(`^${word}[.:]?\\s+`, 'i'), '')
  return rest === '' ? sentence : rest
}
