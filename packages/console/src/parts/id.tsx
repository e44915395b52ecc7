import { Check, Copy } from 'lucide-react'
import { useCopy } from '../ui/copy-button.tsx'
import { shortId } from '../words/text.ts'

/** An id with its middle left out. A press copies the whole id. */
export function Id({ value, whole = false }: { readonly value: string; readonly whole?: boolean }) {
  const { copied, copy } = useCopy()
  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      title={value}
      onClick={() => void copy(value)}
      className="inline-flex items-center gap-1.5 rounded-1 font-mono text-small text-ink-2 hover:text-ink"
    >
      <span className={whole ? 'break-all text-left' : ''}>{whole ? value : shortId(value)}</span>
      <Icon size={12} strokeWidth={1.75} className="flex-none text-ink-3" aria-hidden />
      <span className="sr-only" aria-live="polite">
        {copied ? 'Copied' : 'Copy'}
      </span>
    </button>
  )
}
