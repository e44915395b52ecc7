import { CopyButton } from '../../ui/copy-button.tsx'

export interface NamedSecret {
  /** Needed if there are several. */
  readonly label?: string
  readonly value: string
}

interface SecretRowProps {
  readonly secret: NamedSecret
  readonly noun: string
  readonly onCopied: () => void
}

/** A secret in full, with a button that copies it. */
export function SecretRow({ secret: { label, value }, noun, onCopied }: SecretRowProps) {
  return (
    <div>
      {label === undefined ? null : <p className="mb-1 font-medium">{label}</p>}
      <div className="flex items-start gap-2 rounded-3 border border-ask-line bg-ask-soft py-1.75 pr-2 pl-3.5">
        <code className="min-w-0 flex-1 py-1 font-mono font-medium whitespace-pre-wrap text-ink wrap-anywhere">
          {value}
        </code>
        <CopyButton
          aria-label={`Copy the ${label ?? noun}`}
          label="Copy"
          onCopied={onCopied}
          size="sm"
          text={value}
        />
      </div>
    </div>
  )
}
