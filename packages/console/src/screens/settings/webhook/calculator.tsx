import { Check, Lock, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import {
  canComputeSignatures,
  computeSignatures,
  fitsBeginning,
  type Signatures,
} from './signature.ts'

interface CalculatorProps {
  readonly id?: string
  readonly timestamp?: string
  readonly body?: string
  /** The beginnings of the signatures that were sent, by header. */
  readonly sent?: Readonly<Record<string, string>>
}

/** Computes both signatures of a webhook from its parts, in the browser. */
export function Calculator({
  id: ofId = '',
  timestamp: ofTime = '',
  body: ofBody = '',
  sent,
}: CalculatorProps) {
  const [secret, setSecret] = useState('')
  const [id, setId] = useState(ofId)
  const [timestamp, setTimestamp] = useState(ofTime)
  const [body, setBody] = useState(ofBody)
  const signatures = useSignatures({ secret, id, timestamp, body })
  if (!canComputeSignatures()) {
    return (
      <Notice tone="ask">
        Browsers compute signatures only over HTTPS or on localhost. Open this page there, or use{' '}
        <code>openssl dgst -sha256 -hmac</code>.
      </Notice>
    )
  }
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-1.5 text-small text-ink-3">
        <Lock aria-hidden="true" size={13} /> Nothing you type here leaves this page.
      </p>
      <PasswordField
        autoComplete="off"
        label="Secret"
        onChange={setSecret}
        placeholder="whsec_…"
        value={secret}
      />
      <div className="grid gap-3 phone:grid-cols-2">
        <TextField label="webhook-id" mono onChange={setId} value={id} />
        <TextField
          inputMode="numeric"
          label="webhook-timestamp"
          mono
          onChange={setTimestamp}
          value={timestamp}
        />
      </div>
      <TextArea
        help="The raw body, byte for byte, without a line break at the end."
        label="Body"
        mono
        onChange={setBody}
        spellCheck={false}
        value={body}
      />
      <Header
        name="webhook-signature"
        sent={sent?.['webhook-signature']}
        value={signatures?.webhookSignature ?? null}
      >
        {signatures !== null && signatures.webhookSignature === null
          ? 'The part of the secret behind whsec_ is not Base64.'
          : null}
      </Header>
      <Header
        name="X-Service-Signature"
        sent={sent?.['x-service-signature']}
        value={signatures?.serviceSignature ?? null}
      />
    </div>
  )
}

interface HeaderProps {
  readonly name: string
  readonly value: string | null
  readonly sent: string | undefined
  readonly children?: ReactNode
}

function Header({ name, value, sent, children }: HeaderProps) {
  const fits = fitsBeginning(value, sent)
  return (
    <div>
      <div className="mb-1 font-medium">{name}</div>
      <div className="flex min-h-8 items-center gap-2 rounded-2 border border-line bg-well px-2.5 py-1">
        <output className="min-w-0 flex-1 font-mono text-small wrap-anywhere">
          {value ?? <span className="font-sans text-ink-3">{children ?? 'Enter the secret.'}</span>}
        </output>
        {value === null ? null : (
          <CopyButton iconOnly label={`Copy ${name}`} size="sm" text={value} />
        )}
      </div>
      {fits === null ? null : (
        <p
          className={`mt-1 flex items-center gap-1.5 text-small ${fits ? 'text-ok' : 'text-no'}`}
          role="status"
        >
          {fits ? <Check aria-hidden="true" size={13} /> : <X aria-hidden="true" size={13} />}
          {fits
            ? 'Begins like the signature that Purser sent.'
            : 'Differs from the signature that Purser sent. The secret or the body is not the same.'}
        </p>
      )}
    </div>
  )
}

function useSignatures(input: Parameters<typeof computeSignatures>[0]): Signatures | null {
  const { secret, id, timestamp, body } = input
  const [signatures, setSignatures] = useState<Signatures | null>(null)
  useEffect(() => {
    let isCurrent = true
    const result = secret.trim() === '' ? null : { secret: secret.trim(), id, timestamp, body }
    const computed = result && canComputeSignatures() ? computeSignatures(result) : null
    Promise.resolve(computed)
      .then((next) => (isCurrent ? setSignatures(next) : undefined))
      .catch(() => setSignatures(null))
    return () => {
      isCurrent = false
    }
  }, [secret, id, timestamp, body])
  return signatures
}

export function CalculatorDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      description="Compare these headers with those that your server got."
      onClose={onClose}
      open
      title="Check a signature"
    >
      <Calculator />
    </Dialog>
  )
}
