import type { NewWallet, WalletInput } from '@purser/sdk'
import { useRef, useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { errorUnder, isAllUnder, useFirstWrongField } from '../../page/form-errors.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface WalletDialogProps {
  readonly onCreated: (wallet: NewWallet) => void
  readonly onClose: () => void
}

const FIELDS = ['/name', '/address', '/signerUrl']

const HELP = {
  local:
    'The gateway creates a key and keeps it encrypted. Its operator could move the money, so keep in it only what your agents need soon.',
  remote:
    'Your own service holds the key and signs each payment. Purser shows the secret for its requests once.',
}

/** Creates a wallet. It cannot be renamed or removed later. */
export function WalletDialog({ onCreated, onClose }: WalletDialogProps) {
  const [type, setType] = useState<'local' | 'remote'>('local')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [signerUrl, setSignerUrl] = useState('')
  const [tries, setTries] = useState(0)
  const area = useRef<HTMLDivElement>(null)
  const create = useAction({
    run: (input: WalletInput, options) => purser.wallets.create(input, options),
    sentence: 'Create a wallet',
    touches: [['wallets']],
    done: (wallet) => `${wallet.name} is created.`,
    onDone: onCreated,
  })
  const input: WalletInput = {
    name: name.trim(),
    ...(type === 'remote' ? { address: address.trim(), signerUrl: signerUrl.trim() } : {}),
  }
  const missing = (text: string, sentence: string) =>
    tries > 0 && text.trim() === '' ? sentence : undefined
  const isComplete = Object.values(input).every((value) => value !== '')
  useFirstWrongField(area, create.error ?? tries)
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => {
        setTries(tries + 1)
        if (isComplete) void create.start(input)
      }}
      title="Create a wallet"
      description="Agents pay by x402 from it. It needs no gas. It cannot be renamed or removed later."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl request={{ method: 'POST', path: '/wallets', body: input }} />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={create.isBusy} type="submit" variant="primary">
            Create wallet
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5" ref={area}>
        {create.error && !isAllUnder(create.error, FIELDS) ? (
          <ErrorNotice title="The wallet was not created." error={create.error} />
        ) : null}
        <TextField
          label="Name"
          required
          value={name}
          onChange={setName}
          error={missing(name, 'Enter a name.') ?? errorUnder(create.error, '/name')}
        />
        <div>
          <Segmented
            label="Who holds the key"
            value={type}
            onChange={setType}
            options={[
              { value: 'local', label: 'Key in the gateway' },
              { value: 'remote', label: 'Own signer' },
            ]}
          />
          <p className="mt-1.5 max-w-(--measure) text-small text-ink-3">{HELP[type]}</p>
        </div>
        {type === 'remote' ? (
          <>
            <TextField
              label="Address of your key"
              required
              mono
              placeholder="0x…"
              value={address}
              onChange={setAddress}
              error={missing(address, 'Enter the address.') ?? errorUnder(create.error, '/address')}
              spellCheck={false}
            />
            <TextField
              label="URL of your signer"
              required
              placeholder="https://signer.example.com/sign"
              value={signerUrl}
              onChange={setSignerUrl}
              error={missing(signerUrl, 'Enter the URL.') ?? errorUnder(create.error, '/signerUrl')}
              spellCheck={false}
            />
          </>
        ) : null}
      </div>
    </Dialog>
  )
}
