import type { PurserError } from '@purser/sdk'
import { type FormEvent, useRef, useState } from 'react'
import { useMistakes } from '../../page/form-errors.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { missingIn } from './missing.ts'
import { signInSentence } from './sentences.ts'

/** An e-mail address with a password, or with a recovery code in its place. */
export type Credentials =
  | { readonly email: string; readonly password: string }
  | { readonly email: string; readonly recoveryCode: string }

interface CredentialsFormProps {
  readonly onSubmit: (credentials: Credentials) => void
  /** The credentials that the person sent, so that no input is lost when the form comes back. */
  readonly given: Credentials | null
  readonly error: PurserError | null
  /** The error is about a passkey, not about the typed text. */
  readonly isPasskeyError: boolean
  readonly isBusy: boolean
  /** False where a passkey is the first choice. */
  readonly isPrimary: boolean
}

export function CredentialsForm(props: CredentialsFormProps) {
  const { onSubmit, given, error, isPasskeyError, isBusy, isPrimary } = props
  const [email, setEmail] = useState(given?.email ?? '')
  const [password, setPassword] = useState(given && 'password' in given ? given.password : '')
  const [code, setCode] = useState(given && 'recoveryCode' in given ? given.recoveryCode : '')
  const [hasCode, setHasCode] = useState(code !== '')
  const form = useRef<HTMLFormElement>(null)
  const mistakes = useMistakes(form)
  function submit(event: FormEvent) {
    event.preventDefault()
    const typed = hasCode ? { email, recoveryCode: code.trim() } : { email, password }
    const missing = missingIn(typed, false)
    mistakes.refuse(missing ?? {})
    if (!missing) onSubmit(typed)
  }
  const set = (name: string, change: (value: string) => void) => (value: string) => {
    mistakes.clear(name)
    change(value)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      {error ? (
        <Notice tone="no" role="alert">
          {signInSentence(error, secretOf(isPasskeyError, hasCode))}
        </Notice>
      ) : null}
      <TextField
        label="E-mail"
        type="email"
        size="lg"
        autoComplete="username webauthn"
        required
        value={email}
        onChange={set('email', setEmail)}
        error={mistakes.of('email')}
      />
      {hasCode ? (
        <TextField
          label="Recovery code"
          size="lg"
          mono
          autoCapitalize="characters"
          autoFocus
          spellCheck={false}
          required
          placeholder="XXXX-XXXX-XXXX-XXXX"
          help="Each code works once. Make new ones under your account when few are left."
          value={code}
          onChange={set('recoveryCode', setCode)}
          error={mistakes.of('recoveryCode')}
        />
      ) : (
        <PasswordField
          label="Password"
          size="lg"
          autoComplete="current-password"
          required
          value={password}
          onChange={set('password', setPassword)}
          error={mistakes.of('password')}
        />
      )}
      <Button type="submit" size="lg" variant={isPrimary ? 'primary' : 'default'} busy={isBusy}>
        Sign in
      </Button>
      <button
        type="button"
        onClick={() => setHasCode(!hasCode)}
        className="justify-self-start text-small font-medium text-accent underline underline-offset-2"
      >
        {hasCode ? 'Use the password' : 'Use a recovery code'}
      </button>
    </form>
  )
}

/** The name of the wrong secret, for the sentence about it; null for a passkey. */
function secretOf(isPasskeyError: boolean, hasCode: boolean): string | null {
  if (isPasskeyError) return null
  return hasCode ? 'recovery code' : 'password'
}
