import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { canUsePasskeysOf } from '../../../data/passkeys.ts'
import { queries } from '../../../data/queries.ts'
import { asPurserError } from '../../../data/use-action.ts'
import type { Passkey } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { When } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RemovePasskey } from './remove-passkey.tsx'

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

/** The passkeys of this member, or why there are none at this address. */
export function Passkeys() {
  const { data: state } = useQuery(queries.state())
  const { data, error, refetch } = useQuery(queries.passkeys())
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const isPossible = canUsePasskeysOf(state?.passkeyHost)
  return (
    <Card aria-label="Passkeys">
      <CardHeader
        action={
          isPossible ? (
            <Button
              icon={<Plus aria-hidden="true" size={14} />}
              onClick={() => setOpen({ kind: 'add' })}
              size="sm"
            >
              Add a passkey
            </Button>
          ) : undefined
        }
        title="Passkeys"
      />
      <CardBody className="grid gap-3">
        {state && !isPossible ? <WhyNone host={state.passkeyHost} /> : null}
        {data ? (
          <List isPossible={isPossible} onAct={setOpen} passkeys={data.data} />
        ) : error ? (
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="The passkeys could not be loaded."
          />
        ) : (
          <Skeleton rows={2} />
        )}
      </CardBody>
      {open?.kind === 'add' ? <PasskeyDialog onClose={close} passkey={null} /> : null}
      {open?.kind === 'rename' ? <PasskeyDialog onClose={close} passkey={open.passkey} /> : null}
      {open?.kind === 'remove' ? <RemovePasskey onClose={close} passkey={open.passkey} /> : null}
    </Card>
  )
}

interface ListProps {
  readonly passkeys: readonly Passkey[]
  readonly isPossible: boolean
  readonly onAct: (open: Open) => void
}

function List({ passkeys, isPossible, onAct }: ListProps) {
  if (passkeys.length === 0) {
    return isPossible ? (
      <p className="text-ink-2">
        None yet. With a passkey you sign in by fingerprint, face or PIN, without the password.
      </p>
    ) : null
  }
  return (
    <ul>
      {passkeys.map((passkey) => (
        <PasskeyItem
          key={passkey.id}
          onRemove={() => onAct({ kind: 'remove', passkey })}
          onRename={() => onAct({ kind: 'rename', passkey })}
          passkey={passkey}
        />
      ))}
    </ul>
  )
}

interface PasskeyItemProps {
  readonly passkey: Passkey
  readonly onRename: () => void
  readonly onRemove: () => void
}

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps) {
  const { name, synced, createdAt, lastUsedAt } = passkey
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 border-line py-2 not-first:border-t first:pt-0 last:pb-0">
      <KeyRound aria-hidden="true" className="flex-none text-ink-3" size={16} strokeWidth={1.5} />
      <div className="min-w-0 flex-1 basis-52">
        <bdi className="font-medium">{name}</bdi>
        <div className="text-small text-ink-3">
          {lastUsedAt ? (
            <>
              used <When ago at={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}{' '}
          · added <When ago at={createdAt} />
          {synced ? ' · on all your devices' : ' · on one device'}
        </div>
      </div>
      <Button aria-label={`Rename ${name}`} onClick={onRename} size="sm">
        Rename
      </Button>
      <Button aria-label={`Remove ${name}`} onClick={onRemove} size="sm" variant="danger">
        Remove
      </Button>
    </li>
  )
}

interface WhyNoneProps {
  /** The host name that the passkeys of this gateway belong to. */
  readonly host: string | null
}

/** A passkey belongs to a host name, so an IP address has none, and neither has a different name. */
function WhyNone({ host }: WhyNoneProps) {
  const { hostname, port, protocol } = location
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.includes(':')
  const isOwnMachine = hostname === '127.0.0.1' || hostname === '[::1]'
  const there = `${protocol}//localhost${port === '' ? '' : `:${port}`}/settings/me`
  return (
    <Notice icon={<KeyRound aria-hidden="true" size={16} strokeWidth={1.5} />}>
      {isAddress ? (
        <>
          <b>There are no passkeys at an IP address.</b> A passkey belongs to a host name, and you
          opened <code>{hostname}</code>.{' '}
          {isOwnMachine ? (
            <>
              Open <a href={there}>{there}</a> to add one.
            </>
          ) : (
            'The person who runs the gateway can give it a name with PURSER_PUBLIC_URL.'
          )}
        </>
      ) : host !== null && host !== hostname ? (
        <>
          <b>
            Passkeys of this gateway belong to <code>{host}</code>.
          </b>{' '}
          You opened <code>{hostname}</code>. Open the gateway there to add one.
        </>
      ) : (
        'This browser cannot use passkeys at this address. Passkeys need HTTPS or localhost.'
      )}
    </Notice>
  )
}
