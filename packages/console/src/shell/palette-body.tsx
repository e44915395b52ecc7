import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useRouter } from '../router/use-router.ts'
import { Kbd } from '../ui/kbd.tsx'
import { type Command, usePaletteCommands } from './palette-commands.ts'
import { rememberCommand } from './recent-commands.ts'

/** The field and the list of found things. The focus stays in the field. */
export function PaletteBody({ onDone }: { readonly onDone: () => void }) {
  const router = useRouter()
  const id = useId()
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const [subject, setSubject] = useState<Command | null>(null)
  const groups = usePaletteCommands(text, subject)
  const flat = groups.flatMap(({ commands }) => commands)
  const chosen = flat[Math.min(index, flat.length - 1)]

  function run(command: Command) {
    onDone()
    rememberCommand(command)
    if (command.run) command.run()
    else if (command.href) void router.navigate({ href: command.href })
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && flat.length > 0) {
      event.preventDefault()
      setIndex((Math.min(index, flat.length - 1) + step + flat.length) % flat.length)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    } else if (event.key === 'Tab' && chosen?.actions) {
      event.preventDefault()
      setSubject(chosen)
      setText('')
      setIndex(0)
    } else if (event.key === 'Backspace' && text === '' && subject) setSubject(null)
  }
  return (
    <>
      <div className="flex h-13 items-center gap-2.5 border-b border-line px-4">
        <Search size={16} strokeWidth={1.5} className="flex-none text-ink-3" aria-hidden />
        {subject ? (
          <span className="flex-none rounded-1 bg-accent-soft px-1.5 text-small">
            {subject.label}
          </span>
        ) : null}
        <input
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          aria-label="Search or run a command"
          placeholder={
            subject ? 'What to do' : 'An agent, a mandate, an id, a screen, or an action'
          }
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setIndex(0)
          }}
          onKeyDown={onKeyDown}
          className="h-full w-full bg-transparent text-[1rem] outline-none"
          // biome-ignore lint/a11y/noAutofocus: the person has just opened the field
          autoFocus
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Found"
        className="max-h-96 overflow-auto pb-2"
      >
        {groups.map(({ label, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a listbox
          <div key={label} role="group" aria-label={label}>
            <p aria-hidden className="px-4 pt-2.5 pb-1 text-micro font-medium text-ink-3">
              {label}
            </p>
            {commands.map((command) => (
              <Option
                key={command.id}
                id={`${id}-${command.id}`}
                command={command}
                isChosen={command === chosen}
                onPress={() => run(command)}
              />
            ))}
          </div>
        ))}
        {flat.length === 0 ? (
          <p className="px-4 py-6 text-center text-ink-2">Nothing matches “{text}”.</p>
        ) : null}
      </div>
      <p className="flex flex-wrap gap-4 border-t border-line bg-well px-4 py-2 text-small text-ink-3">
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        <span>
          <Kbd>Tab</Kbd> what can be done with it
        </span>
        <span>
          <Kbd>Esc</Kbd> close
        </span>
      </p>
    </>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  readonly isChosen: boolean
  readonly onPress: () => void
}

function Option({ id, command, isChosen, onPress }: OptionProps) {
  const { icon: Icon, label, note, keys } = command
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onPress}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' })
      }}
      className="mx-1.5 flex h-9.5 items-center gap-2.5 rounded-2 px-2.5 hover:bg-hover aria-selected:bg-selected"
    >
      <Icon size={16} strokeWidth={1.5} className="flex-none text-ink-2" aria-hidden />
      <span className="truncate">{label}</span>
      {note ? <span className="truncate text-ink-3">{note}</span> : null}
      {keys ? (
        <span className="ml-auto flex gap-1">
          {keys.split(' ').map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      ) : null}
    </div>
  )
}
