import { useState } from 'react'
import { MandateWords } from '../../../../parts/words/mandate-words.tsx'
import { Card } from '../../../../ui/card.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { cx } from '../../../../ui/cx.ts'
import type { Terms } from '../../../../words/term-words.ts'
import { countOf } from '../../../../words/text.ts'
import type { Editor } from '../use-editor.ts'
import { compareLines, type JsonLine } from './json-lines.ts'

/** The mandate of the form in words, or as JSON, with the differences from the active version. */
export function WordsCard({ editor }: { readonly editor: Editor }) {
  const [view, setView] = useState<'words' | 'json'>('words')
  const { base, read, changes } = editor
  return (
    <Card aria-label="The mandate in words and as JSON">
      <header className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3.5 py-1.5">
        <span className="inline-flex gap-0.5 rounded-3 border border-line bg-well p-0.5">
          <ViewButton isOn={view === 'words'} label="In words" onPress={() => setView('words')} />
          <ViewButton isOn={view === 'json'} label="JSON" onPress={() => setView('json')} />
        </span>
        {base ? (
          <span className="ml-auto text-small text-ink-3">{countOf(changes, 'change')}</span>
        ) : null}
      </header>
      <div className="px-3.5 py-3">
        {view === 'words' ? (
          <MandateWords before={base} terms={read.shown} />
        ) : (
          <JsonDiff after={read.shown} before={base} />
        )}
      </div>
    </Card>
  )
}

interface ViewButtonProps {
  readonly label: string
  readonly isOn: boolean
  readonly onPress: () => void
}

function ViewButton({ label, isOn, onPress }: ViewButtonProps) {
  return (
    <button
      aria-pressed={isOn}
      className="min-h-6.5 rounded-2 border border-transparent px-2.5 text-small font-medium text-ink-2 hover:text-ink aria-pressed:border-line aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-1 pointer-coarse:min-h-10"
      onClick={onPress}
      type="button"
    >
      {label}
    </button>
  )
}

function jsonOf(terms: Terms): string {
  const { budgetTotal, budgetPeriod, currency, validFrom, validUntil, rules } = terms
  const shown = { budgetTotal, currency, budgetPeriod, validFrom, validUntil, rules }
  return JSON.stringify(shown, ordered, 2)
}

/** The type and the id first, and the rest by name, so that only real differences are marked. */
function ordered(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('budgetTotal' in value) return value
  const { type, id, ...rest } = value as Record<string, unknown>
  const sorted = Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries([
    ...(type === undefined ? [] : [['type', type]]),
    ...(id === undefined ? [] : [['id', id]]),
    ...sorted,
  ])
}

const SIGN = { same: ' ', new: '+', old: '−' }
const LOOK = { same: 'text-ink-2', new: 'bg-ok-soft', old: 'bg-no-soft line-through' }

function JsonDiff({ before, after }: { before: Terms | undefined; after: Terms }) {
  const text = jsonOf(after)
  const lines: readonly JsonLine[] = before
    ? compareLines(jsonOf(before), text)
    : text.split('\n').map((line) => ({ change: 'same', text: line }))
  return (
    <div className="relative">
      {/* biome-ignore lint/a11y/useSemanticElements: a block that scrolls needs a name */}
      <pre
        aria-label="The mandate as JSON"
        className="overflow-x-auto font-mono text-small leading-5"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls is reached by keyboard
        tabIndex={0}
      >
        {lines.map((line, index) => (
          <span
            className={cx('block min-w-full w-fit px-1', LOOK[line.change])}
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
            key={index}
          >
            <span className="select-none">{SIGN[line.change]} </span>
            {line.text}
          </span>
        ))}
      </pre>
      <div className="absolute top-0 right-0">
        <CopyButton iconOnly label="Copy the JSON" size="sm" text={text} />
      </div>
    </div>
  )
}
