import { useBlocker } from '@tanstack/react-router'
import { Check, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton, useCopy } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

interface SecretOnceProps {
  readonly title: string
  readonly description?: ReactNode
  /** What is shown, as the end of "Copy the …": key, secret, link, codes. */
  readonly noun: string
  /** True if the noun is a plural, as codes are. */
  readonly isPlural?: boolean
  readonly secret: string
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
  const [isCopied, setCopied] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const done = useRef<HTMLButtonElement>(null)
  const copyFirst = useRef<HTMLButtonElement>(null)
  const { copy } = useCopy()
  useBlocker({
    shouldBlockFn: () => {
      if (!isCopied) warn()
      return !isCopied
    },
    enableBeforeUnload: !isCopied,
  })
  function warn() {
    setLeaving(true)
    requestAnimationFrame(() => copyFirst.current?.focus())
  }
  function onCopied() {
    setCopied(true)
    setLeaving(false)
  }
  function close() {
    if (isCopied) onClose()
    else warn()
  }
  async function copyAndClose() {
    if (await copy(secret)) onClose()
  }
  return (
    <Dialog
      alert
      description={
        description ?? `Copy it now. Purser keeps only a hash of it, so no one can show it again.`
      }
      footer={
        isLeaving && !isCopied ? (
          <>
            <Button onClick={onClose}>Close without {isPlural ? 'them' : 'it'}</Button>
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
            <Button onClick={close} ref={done} variant="primary">
              Done
            </Button>
          </>
        )
      }
      onClose={close}
      open
      title={title}
    >
      <div className="grid gap-3.5">
        <div className="flex items-start gap-2 rounded-3 border border-ask-line bg-ask-soft py-1.75 pr-2 pl-3.5">
          <code className="min-w-0 flex-1 py-1 font-mono font-medium whitespace-pre-wrap text-ink wrap-anywhere">
            {secret}
          </code>
          <CopyButton
            aria-label={`Copy the ${noun}`}
            label="Copy"
            onCopied={onCopied}
            size="sm"
            text={secret}
          />
        </div>
        {children?.(onCopied)}
        {isLeaving && !isCopied ? (
          <Notice icon={<TriangleAlert aria-hidden="true" size={16} />} role="alert" tone="ask">
            <b>You have not copied the {noun}.</b> No one can show {isPlural ? 'them' : 'it'} again.
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
