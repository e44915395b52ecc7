import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'

interface ShownOnceProps {
  readonly title: string
  /** Where each value belongs. */
  readonly description: string
  readonly values: readonly { readonly label: string; readonly value: string }[]
  /** Takes the values out of the page. */
  readonly onClose: () => void
}

/** Secrets that no one can show again. Closing without a copy needs a second press. */
export function ShownOnce({ title, description, values, onClose }: ShownOnceProps) {
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set())
  const [isWarned, setWarned] = useState(false)
  const isDone = values.every(({ label }) => copied.has(label))
  function close() {
    if (isDone || isWarned) onClose()
    else setWarned(true)
  }
  return (
    <Dialog
      alert
      open
      onClose={close}
      title={title}
      description={description}
      footer={
        <Button onClick={close} variant={isWarned && !isDone ? 'default' : 'primary'}>
          {isWarned && !isDone ? 'Close without a copy' : 'Done'}
        </Button>
      }
    >
      <div className="grid gap-3.5">
        {values.map(({ label, value }) => (
          <div key={label}>
            <p className="mb-1 font-medium">{label}</p>
            <div className="flex items-start gap-2 rounded-3 border border-ask-line bg-ask-soft py-1.75 pr-2 pl-3.5">
              <code className="min-w-0 flex-1 py-1 font-mono text-ink wrap-anywhere">{value}</code>
              <CopyButton
                aria-label={`Copy: ${label}`}
                onCopied={() => setCopied((before) => new Set([...before, label]))}
                size="sm"
                text={value}
              />
            </div>
          </div>
        ))}
        {isWarned && !isDone ? (
          <Notice
            icon={<KeyRound aria-hidden size={16} strokeWidth={1.5} />}
            role="alert"
            tone="ask"
          >
            <b>You have not copied everything.</b> No one can show it again.
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
