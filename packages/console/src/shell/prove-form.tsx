import type { PurserError } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Question } from '../data/ask-again.ts'
import { callConsole } from '../data/console-api.ts'
import { canUsePasskeys, signWithPasskey } from '../data/passkeys.ts'
import { queries } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { asPurserError } from '../data/use-action.ts'
import type { Me } from '../generated/console-api.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { errorSentence } from '../words/errors.ts'

/** Proves with the password or a passkey who is at the keyboard. */
export function ProveForm({ question }: { readonly question: Question }) {
  const { member, organization } = useMe()
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<PurserError | null>(null)
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  const isSession = question.kind === 'session'

  async function prove(kind: 'password' | 'passkey', send: () => Promise<Me>) {
    setBusy(kind)
    setError(null)
    try {
      const now = await send()
      // A passkey can sign in a different member. That member must not repeat this one's request.
      if (now.member.id !== member.id) {
        question.answer(false)
        location.assign('/')
        return
      }
      await client.invalidateQueries({ queryKey: queries.me().queryKey })
      question.answer(true)
    } catch (failure) {
      setError(asPurserError(failure))
    } finally {
      setBusy(null)
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const body = { email: member.email, password, organizationId: organization.id }
    void prove('password', () =>
      isSession
        ? callConsole('signIn', { body })
        : callConsole('reauthenticate', { body: { password } }),
    )
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <input type="hidden" autoComplete="username" value={member.email} readOnly />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={error ? errorSentence(error) : undefined}
        help={isSession ? `Signing in as ${member.email}` : 'Good for five minutes.'}
        autoFocus
      />
      <div className="flex flex-wrap justify-end gap-2">
        {canUsePasskeys() ? (
          <Button
            icon={<KeyRound size={16} strokeWidth={1.5} />}
            busy={busy === 'passkey'}
            onClick={() => void prove('passkey', () => signWithPasskey(isSession))}
          >
            Use a passkey
          </Button>
        ) : null}
        <Button variant="primary" type="submit" busy={busy === 'password'}>
          {isSession ? 'Sign in' : 'Confirm'}
        </Button>
      </div>
    </form>
  )
}
