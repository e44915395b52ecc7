import type { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { canUsePasskeysOf, signWithPasskey } from '../../data/passkeys.ts'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'
import { useTitle } from '../../page/use-title.ts'
import { Button } from '../../ui/button.tsx'
import { type Credentials, CredentialsForm } from './credentials-form.tsx'
import { Door } from './door.tsx'
import { Organizations } from './organizations.tsx'
import { useEnter } from './use-enter.ts'
import { useOfferedPasskey } from './use-offered-passkey.ts'

type Way = 'password' | 'passkey'

interface Failure {
  readonly way: Way
  readonly error: PurserError
}

/** Signs a member in: with a passkey, a password, or a recovery code. */
export function SignIn() {
  useTitle('Sign in')
  const { data: state } = useQuery(queries.state())
  const enter = useEnter()
  const [credentials, setCredentials] = useState<Credentials | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState<Way | null>(null)
  const hasPasskeys = canUsePasskeysOf(state?.passkeyHost)

  function fail(way: Way, reason: unknown) {
    const error = asPurserError(reason)
    setFailure(error && { way, error })
    setBusy(null)
  }
  async function attempt(way: Way, send: () => Promise<unknown>) {
    setBusy(way)
    setFailure(null)
    try {
      await send()
      await enter()
    } catch (reason) {
      fail(way, reason)
    }
  }
  const signIn = (given: Credentials, organizationId?: string) => {
    const body = { ...given, ...(organizationId ? { organizationId } : {}) }
    return attempt('password', () => callConsole('signIn', { body }))
  }
  useOfferedPasskey(hasPasskeys && busy === null, {
    onChosen: () => setBusy('passkey'),
    onSignedIn: enter,
    onRefused: (error) => fail('passkey', error),
  })
  const error = failure?.error ?? null

  return (
    <Door
      title="Every spend is asked for first."
      text="Agents ask, mandates answer, people decide what mandates leave open. Each decision stays on the record."
    >
      <div className="w-full max-w-90">
        <h1 className="text-[1.5rem] leading-8 font-[620] tracking-[-0.018em]">Sign in</h1>
        <p className="mt-0.5 mb-5 text-ink-2">
          {state?.organization ? `${state.organization} · ` : ''}
          <code>{location.host}</code>
        </p>
        {hasPasskeys ? (
          <>
            <Button
              variant="primary"
              size="lg"
              className="w-full"
              icon={<KeyRound size={16} strokeWidth={1.5} />}
              busy={busy === 'passkey'}
              onClick={() => void attempt('passkey', () => signWithPasskey(true))}
            >
              Use a passkey
            </Button>
            <p className="my-4.5 flex items-center gap-3 text-small text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
              or with your password
            </p>
          </>
        ) : null}
        {credentials && error?.code === 'organization_required' ? (
          <Organizations problem={error.problem} onChoose={(id) => void signIn(credentials, id)} />
        ) : (
          <CredentialsForm
            error={error}
            isPasskeyError={failure?.way === 'passkey'}
            given={credentials}
            isBusy={busy === 'password'}
            isPrimary={!hasPasskeys}
            onSubmit={(given) => {
              setCredentials(given)
              void signIn(given)
            }}
          />
        )}
        <p className="mt-4 text-small text-ink-2">
          Forgotten? An owner or admin can make you a reset link under Members. If no one can sign
          in, the person who runs the gateway can: <code>npx purser members reset-link</code>
        </p>
      </div>
    </Door>
  )
}
