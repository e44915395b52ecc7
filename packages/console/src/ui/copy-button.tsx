import { Check, Copy } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { IconButton } from './icon-button.tsx'

const SHOWN_MS = 1600

/** Copies text and says for a moment that it did. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = useCallback(async (text: string) => {
    const isCopied = await writeText(text)
    if (isCopied) setCopiedAt(Date.now())
    return isCopied
  }, [])
  return { copied: copiedAt > 0, copy }
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The clipboard is missing on plain HTTP from another host. The old way needs a selection.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'sr-only'
  const before = document.activeElement
  // A dialog traps the focus, so the area must be inside it.
  const place = before?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}

export interface CopyButtonProps extends Omit<ButtonProps, 'children' | 'onCopy'> {
  text: string | (() => string)
  /** The label of the button, which names the copied thing: "Copy the key". */
  label?: string | undefined
  /** Shows the icon alone, with the label as its tooltip. */
  iconOnly?: boolean | undefined
  children?: ReactNode
  onCopied?: (() => void) | undefined
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label = 'Copy', iconOnly = false, children, onCopied, ...rest } = props
  const { copied, copy } = useCopy()
  const icon = copied ? (
    <Check aria-hidden="true" size={14} />
  ) : (
    <Copy aria-hidden="true" size={14} />
  )
  const press = () => {
    void copy(typeof text === 'function' ? text() : text).then((done) => done && onCopied?.())
  }
  const said = (
    <span className="sr-only" role="status">
      {copied ? 'Copied' : ''}
    </span>
  )
  if (iconOnly) {
    return (
      <>
        <IconButton icon={icon} label={copied ? 'Copied' : label} onClick={press} {...rest} />
        {said}
      </>
    )
  }
  return (
    <>
      <Button
        icon={icon}
        onClick={press}
        {...rest}
        // A name must hold the word that is shown, which is "Copied" for a moment.
        aria-label={copied ? undefined : rest['aria-label']}
      >
        {/* Both words share one place, so that the width stays. */}
        <span className="grid justify-items-center *:col-start-1 *:row-start-1">
          <span className={copied ? 'invisible' : undefined}>{children ?? label}</span>
          <span aria-hidden={!copied} className={copied ? undefined : 'invisible'}>
            Copied
          </span>
        </span>
      </Button>
      {said}
    </>
  )
}
