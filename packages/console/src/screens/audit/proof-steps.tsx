import type { StepOutcome } from '@purser/sdk/verify'
import { Check, type LucideIcon, Minus, X } from 'lucide-react'
import type { ProofStep } from './proof-words.ts'

const LOOKS: Readonly<
  Record<StepOutcome, { readonly icon: LucideIcon; readonly look: string; readonly word: string }>
> = {
  proven: { icon: Check, look: 'text-ok', word: 'Proven' },
  refuted: { icon: X, look: 'text-no', word: 'Failed' },
  unchecked: { icon: Minus, look: 'text-ink-3', word: 'Not checked' },
}

/** The four steps of the check, each with its result. */
export function ProofSteps({ steps }: { readonly steps: readonly ProofStep[] }) {
  return (
    <ol aria-label="Steps of the check">
      {steps.map(({ key, outcome, title, text }) => {
        const { icon: Icon, look, word } = LOOKS[outcome]
        return (
          <li className="flex gap-3 border-line py-2.5 not-first:border-t" key={key}>
            <Icon aria-hidden className={`mt-0.5 flex-none ${look}`} size={16} strokeWidth={2} />
            <span className="min-w-0">
              <span className="sr-only">{word}: </span>
              <span className={`block font-medium ${outcome === 'refuted' ? 'text-no' : ''}`}>
                {title}
              </span>
              <span className="block text-small text-ink-2 wrap-anywhere">{text}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
