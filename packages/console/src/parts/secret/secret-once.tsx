import { Check, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useBlocker } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type NamedSecret, SecretRow } from './secret-row.tsx'

interface SecretOnceProps {
  readonly title: string
  readonly description?: ReactNode
  /** The name of the secret, as the end of "Copy the …": key, secret, link, codes. */
  readonly noun: string
  /** True if the noun is a plural, as codes are. */
  readonly isPlural?: boolean
  /** One text, or several with a name for each. */
  readonly secret: string | readonly NamedSecret[]
  /** Unmounts this component, which takes the secret out of the page. */
  readonly onClose: () => void
  /** More about it. A snippet that holds the secret calls `onCopied` when it was copied. */
  readonly children?: (onCopied: () => void) => ReactNode
}

/**
 * Shows a secret that no one can show again. The caller keeps it in the state of a component and
 * nowhere else, so it is gone from the page with this dialog. Leaving without a copy needs a second
 * press, also for the back button and for closing the tab.
 */
export function SecretOnce(props: SecretOnceProps) {
  const { title, description, noun, isPlural = false, secret, onClose, children } = props
  const secrets = typeof secret === 'string' ? [{ value: secret }] : secret
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set())
  const [isLeaving, setLeaving] = useState(false)
  const isCopied = secrets.every(({ value }) => copied.has(value))
  const isWarned = isLeaving && !isCopied
  const copyFirst = useRef<HTMLButtonElement>(null)
  const isClosed = useRef(false)
  const { copy } = useCopy()
  useBlocker(() => {
    // The caller may move the page on when it closes this dialog.
    if (isCopied || isClosed.current) return false
    warn()
    return true
  }, !isCopied)
  function warn() {
    setLeaving(true)
    requestAnimationFrame(() => copyFirst.current?.focus())
  }
  function leave() {
    isClosed.current = true
    onClose()
  }
  function note(values: readonly string[]) {
    setCopied((before) => new Set([...before, ...values]))
  }
  async function copyAndClose() {
    if (await copy(secrets.map(({ value }) => value).join('\n'))) leave()
  }
  return (
    <Dialog
      alert
      description={
        description ?? 'Copy it now. Purser keeps only a hash of it, so no one can show it again.'
      }
      footer={
        isWarned ? (
          <>
            <Button onClick={leave}>Close without {isPlural ? 'them' : 'it'}</Button>
            <Button onClick={() => void copyAndClose()} ref={copyFirst} variant="primary">
              Copy and close
            </Button>
          </>
        ) : (
          <>
            {isCopied ? (
              <p className="mr-auto flex items-center gap-1.5 text-small text-ok" role="status">
                <Check aria-hidden="true" size={14} /> Copied
              </p>
            ) : null}
            <Button onClick={() => (isCopied ? leave() : warn())} variant="primary">
              Done
            </Button>
          </>
        )
      }
      onClose={() => (isCopied ? leave() : warn())}
      open
      title={title}
    >
      <div className="grid gap-3.5">
        {secrets.map((one) => (
          <SecretRow key={one.value} noun={noun} onCopied={() => note([one.value])} secret={one} />
        ))}
        {children?.(() => note(secrets.map(({ value }) => value)))}
        {isWarned ? (
          <Notice icon={<TriangleAlert aria-hidden="true" size={16} />} role="alert" tone="ask">
            <b>You have not copied the {noun}.</b> No one can show {isPlural ? 'them' : 'it'} again.
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
