import { Plus, X } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { cx } from '../../../../ui/cx.ts'
import { listWas } from '../form/marks.ts'

interface EntryListProps {
  readonly label: string
  /** "host", "category". */
  readonly noun: string
  readonly entries: readonly string[]
  readonly before: readonly string[] | undefined
  readonly onChange: (entries: readonly string[]) => void
  readonly error: string | undefined
  /** Behind the field for the next entry. */
  readonly after?: ReactNode
}

const SHOWN = 8

/** A list of hosts or categories as chips. Enter, a comma or a paste adds entries. */
export function EntryList(props: EntryListProps) {
  const { label, noun, entries, before, onChange, error } = props
  const [isWhole, setWhole] = useState(false)
  const id = useId()
  const isLong = entries.length > SHOWN + 1 && !isWhole
  const isNew = (entry: string) => before !== undefined && !before.includes(entry)
  // New entries are in view, however long the list is.
  const first = entries.filter((entry, index) => !isLong || index < SHOWN || isNew(entry))
  const was = listWas(before, entries)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot wrap its legend inline.
    <div aria-describedby={error ? `${id}-error` : undefined} aria-label={label} role="group">
      <div className="flex flex-wrap items-center gap-1.25 pt-1">
        {first.map((entry) => (
          <EntryChip
            entry={entry}
            isNew={isNew(entry)}
            key={entry}
            onRemove={() => onChange(entries.filter((one) => one !== entry))}
          />
        ))}
        {isLong ? (
          <button
            className="min-h-6 rounded-1 bg-done-soft px-2 text-small text-ink hover:bg-hover pointer-coarse:min-h-11"
            onClick={() => setWhole(true)}
            type="button"
          >
            {entries.length - first.length} more
          </button>
        ) : null}
        <AddEntry
          label={`Add a ${noun} to “${label}”`}
          noun={noun}
          onAdd={(added) => onChange([...new Set([...entries, ...added])])}
        />
        {props.after}
      </div>
      {was ? <div className="mt-1 text-small text-ok">{was}</div> : null}
      {error ? (
        <div className="mt-1 text-small text-no" id={`${id}-error`}>
          {error}
        </div>
      ) : null}
    </div>
  )
}

interface ChipProps {
  readonly entry: string
  readonly isNew: boolean
  readonly onRemove: () => void
}

function EntryChip({ entry, isNew, onRemove }: ChipProps) {
  return (
    <span
      className={cx(
        'inline-flex min-h-6 max-w-full items-center rounded-1 pl-2 text-small pointer-coarse:min-h-11',
        isNew ? 'bg-ok-soft shadow-[inset_0_0_0_1px_var(--ok-line)]' : 'bg-done-soft',
      )}
    >
      <bdi className="truncate">{entry}</bdi>
      <button
        aria-label={`Remove ${entry}`}
        className="grid min-h-6 min-w-6 place-items-center rounded-1 text-ink-3 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        onClick={onRemove}
        type="button"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  )
}

interface AddEntryProps {
  readonly label: string
  readonly noun: string
  readonly onAdd: (entries: readonly string[]) => void
}

function AddEntry({ label, noun, onAdd }: AddEntryProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  function add(from: string) {
    const entries = from
      .split(/[\s,;]+/)
      .map((one) => one.trim().toLowerCase())
      .filter(Boolean)
    if (entries.length > 0) onAdd(entries)
    setText('')
  }
  function press(event: KeyboardEvent) {
    if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === ',') {
      event.preventDefault()
      add(text)
    }
  }
  function paste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text')
    if (!/[\s,;]/.test(pasted.trim())) return
    event.preventDefault()
    add(pasted)
  }
  return (
    <span className="inline-flex min-h-6 min-w-0 items-center gap-1 rounded-1 border border-transparent px-1.5 text-ink-2 hover:bg-hover focus-within:border-line-control outline-focus focus-within:outline-2 focus-within:outline-offset-1 pointer-coarse:min-h-11">
      <Plus aria-hidden className="flex-none" size={12} />
      <input
        aria-label={label}
        autoCapitalize="none"
        className="w-16 min-w-0 border-0 bg-transparent text-small outline-none placeholder:font-medium placeholder:text-ink-2 focus:w-40 focus-visible:outline-none"
        onBlur={() => add(text)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={paste}
        placeholder={noun === 'host' ? 'Host' : 'Category'}
        ref={input}
        spellCheck={false}
        value={text}
      />
    </span>
  )
}
