import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../keys/use-shortcut.ts'
import { Link } from '../../router/link.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type EntryGroup, findEntries } from './contents.ts'
import { MethodTag } from './method-tag.tsx'

interface NavProps {
  readonly groups: readonly EntryGroup[]
  readonly currentId: string | undefined
}

/** All operations by tag, then the events. `/` finds one. */
export function Nav({ groups, currentId }: NavProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  useShortcut(
    '/',
    (event) => {
      event.preventDefault()
      field.current?.focus()
    },
    { label: 'Find an operation', group: 'API reference' },
  )
  // The list is longer than the page, so the chosen entry comes into view.
  useEffect(() => {
    if (currentId === undefined) return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [currentId])
  const found = findEntries(groups, text)
  return (
    <div className="flex min-h-0 flex-col">
      <div className="p-3">
        <TextField
          ref={field}
          size="sm"
          aria-label="Find an operation"
          placeholder="Find an operation"
          icon={<Search size={14} className="flex-none text-ink-3" aria-hidden />}
          value={text}
          onChange={setText}
        />
      </div>
      <nav
        ref={list}
        aria-label="Operations"
        className="min-h-0 overflow-y-auto px-2 pb-4 max-tablet:max-h-64"
      >
        {found.length === 0 ? (
          <p className="px-2 py-1 text-ink-3" role="status">
            Nothing fits.
          </p>
        ) : null}
        {found.map(({ name, entries }) => (
          <section key={name} aria-label={name} className="mb-3">
            <h2 className="px-2 pt-1 pb-0.5 text-small font-medium text-ink-3">{name}</h2>
            <ul>
              {entries.map(({ id, method, path, operation }) => (
                <li key={id}>
                  <Link
                    to="/reference/{-$operationId}"
                    params={{ operationId: id }}
                    search
                    aria-current={id === currentId ? 'page' : undefined}
                    title={`${method ?? 'Event'} ${path}`}
                    className="flex items-baseline gap-1 rounded-2 px-2 py-1.25 text-small text-ink-2 hover:bg-hover hover:text-ink hover:no-underline aria-[current=page]:bg-selected aria-[current=page]:text-ink forced-colors:aria-[current=page]:outline"
                  >
                    {method ? <MethodTag method={method} /> : null}
                    <span className="min-w-0">{method ? operation.summary : path}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  )
}
