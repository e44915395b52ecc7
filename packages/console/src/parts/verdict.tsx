import { Anchor, Check, type LucideIcon, UserRound, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from '../words/words.ts'

export type VerdictKind = 'approved' | 'rejected' | 'asked' | 'held'

const KINDS: Readonly<
  Record<VerdictKind, { readonly icon: LucideIcon; readonly tone: Tone; readonly word: string }>
> = {
  approved: { icon: Check, tone: 'ok', word: 'Approved' },
  rejected: { icon: X, tone: 'no', word: 'Rejected' },
  asked: { icon: UserRound, tone: 'ask', word: 'Needs approval' },
  held: { icon: Anchor, tone: 'held', word: 'Held' },
}

interface VerdictProps {
  readonly kind: VerdictKind
  /** The decision in one sentence; the word of the verdict comes before it. */
  readonly sentence: string
  /** The level of the heading. */
  readonly as?: 'h2' | 'h3' | 'p'
  readonly children?: ReactNode
}

/** The seal and the sentence: the answer to "why?". */
export function Verdict({ kind, sentence, as: Heading = 'h2', children }: VerdictProps) {
  const { icon: Icon, tone, word } = KINDS[kind]
  return (
    <div className={`tone-${tone} flex gap-3`}>
      <span className="grid size-7.5 flex-none place-items-center rounded-2 bg-tone-soft text-tone shadow-[inset_0_0_0_1px_var(--tone-line)]">
        <Icon size={16} strokeWidth={2} aria-hidden />
      </span>
      <div className="min-w-0 pt-0.5">
        <Heading className="text-lead text-pretty" tabIndex={-1}>
          <b>{word}:</b> {withoutWord(sentence, word)}
        </Heading>
        {children}
      </div>
    </div>
  )
}

/** What kind of verdict a decision is. */
export function verdictOf(decision: string, code: string, status?: string): VerdictKind {
  if (code === 'approval_required') return 'asked'
  if (decision === 'rejected') return 'rejected'
  return status === 'held' ? 'held' : 'approved'
}

/** The gateway's sentence may begin with the same word. */
function withoutWord(sentence: string, word: string): string {
  const rest = sentence.replace(new RegExp(`^${word}[.:]?\\s+`, 'i'), '')
  return rest === '' ? sentence : rest
}
