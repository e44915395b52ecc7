import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface MoreSettingsProps {
  /** Open at first, because one of the settings is used. */
  readonly isUsed: boolean
  readonly label?: string
  readonly children: ReactNode
}

/** The settings that most rules leave as they are: a button in the row, and the fields below it. */
export function MoreSettings({ isUsed, label = 'More', children }: MoreSettingsProps) {
  const [isOpen, setOpen] = useState(isUsed)
  return (
    <>
      <button
        aria-expanded={isOpen}
        className="inline-flex min-h-6 items-center gap-0.5 self-center rounded-1 pr-1 text-small whitespace-nowrap text-ink-3 hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setOpen(!isOpen)}
        type="button"
      >
        <ChevronRight aria-hidden className={isOpen ? 'rotate-90' : ''} size={13} />
        {label}
      </button>
      {isOpen ? (
        <div className="mt-1 grid w-full basis-full gap-2.5 phone:grid-cols-2 [&>*]:min-w-0">
          {children}
        </div>
      ) : null}
    </>
  )
}
