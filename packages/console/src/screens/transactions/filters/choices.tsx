import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly icon?: ReactNode
}

interface ChoicesProps {
  /** The name of the list. */
  readonly label: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
  readonly onToggle: (value: string) => void
}

/** A long list gets a field that finds in it. */
const FIND_FROM = 9

/** The values of a filter. Several can be on. */
export function Choices({ label, choices, chosen, onToggle }: ChoicesProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = choices.filter((one) => one.label.toLowerCase().includes(wanted))
  return (
    <div className="-mx-2 -my-1">
      {choices.length >= FIND_FROM ? (
        <div className="px-1 pb-2">
          <TextField
            aria-label={`Find in ${label}`}
            placeholder="Find"
            size="sm"
            value={text}
            onChange={setText}
          />
        </div>
      ) : null}
      <ul aria-label={label} className="max-h-72 overflow-y-auto overscroll-contain">
        {shown.map(({ value, label: name, icon }) => (
          <li key={value}>
            <label className="flex min-h-8 cursor-default items-center gap-2.5 rounded-2 px-2 py-1 hover:bg-selected has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="peer sr-only"
                checked={chosen.includes(value)}
                onChange={() => onToggle(value)}
              />
              <span className="grid size-4 flex-none place-items-center rounded-1 border border-line-control text-on-navy peer-checked:border-navy peer-checked:bg-navy [&>svg]:invisible peer-checked:[&>svg]:visible">
                <Check size={12} strokeWidth={2.5} aria-hidden />
              </span>
              {icon}
              <bdi className="min-w-0 truncate">{name}</bdi>
            </label>
          </li>
        ))}
        {shown.length === 0 ? (
          <li className="px-2 py-1.5 text-ink-3">
            {choices.length === 0 ? 'There is none yet.' : 'Nothing fits.'}
          </li>
        ) : null}
      </ul>
    </div>
  )
}
