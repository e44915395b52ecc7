import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { useTypedText } from '../../../page/use-typed-text.ts'
import { useNavigate } from '../../../router/use-router.ts'
import { TextField } from '../../../ui/text-field.tsx'
import type { TransactionSearch } from './filters.ts'
import { findByForm, isSearchText } from './find.ts'

interface FindFieldProps {
  readonly search: TransactionSearch
  readonly onChange: (change: TransactionSearch, isTyping?: boolean) => void
}

/** The list follows this long after the last key. */
const WAIT_MS = 300

/** Finds by a part of the host or reference while typing. Enter opens an id, or filters by a host. */
export function FindField({ search, onChange }: FindFieldProps) {
  const [text, setText] = useTypedText({
    value: search['q'] ?? '',
    write: (q) => onChange({ q }, true),
    waitMs: WAIT_MS,
    isWanted: isSearchText,
  })
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  useShortcut('/', () => field.current?.focus(), { label: 'Find', group: 'Transactions' })

  function enter(): void {
    const found = findByForm(text)
    if (found.kind === 'place') {
      setText('')
      void navigate({ to: found.href })
    } else if (found.kind === 'filter') {
      if (found.search['q'] === undefined) setText('')
      onChange({ q: undefined, ...found.search })
    }
  }

  return (
    <search className="min-w-40 max-w-52.5 grow basis-40 max-tablet:min-w-44">
      <TextField
        ref={field}
        aria-label="Find by host, reference or id"
        title="Part of a host or reference. A whole id opens its page."
        placeholder="Host, reference or id"
        size="sm"
        type="search"
        icon={<Search size={14} strokeWidth={1.5} className="flex-none text-ink-3" aria-hidden />}
        value={text}
        onChange={setText}
        maxLength={253}
        onKeyDown={(event) => {
          if (event.key === 'Enter') enter()
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          if (text === '') field.current?.blur()
          else setText('')
        }}
      />
    </search>
  )
}
