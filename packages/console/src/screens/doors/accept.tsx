import type { PurserError } from '@purser/sdk'
import { type FormEvent, useRef, useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { asPurserError } from '../../data/use-action.ts'
import { useFirstWrongField } from '../../page/form-errors.ts'
import { useTitle } from '../../page/use-title.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldError } from '../../words/errors.ts'
import { Door } from './door.tsx'
import { linkSentence } from './sentences.ts'
import { useEnter } from './use-enter.ts'
import { useToken } from './use-token.ts'

/** Accepts an invitation, or sets a new password with a reset link. */
export function Accept() {
  useTitle('Join')
  const token = useToken()
  const enter = useEnter()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<PurserError | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFirstWrongField(form, error)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!token) return
    setIsBusy(true)
    setError(null)
    try {
      const body = { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) }
      await callConsole('acceptInvitation', { body })
      await enter()
    } catch (failure) {
      setError(asPurserError(failure))
      setIsBusy(false)
    }
  }
  return (
    <Door
      title="Every spend is asked for first."
      text="Agents ask, mandates answer, people decide what mandates leave open. Each decision stays on the record."
    >
      <form
        ref={form}
        onSubmit={(event) => void submit(event)}
        className="grid w-full max-w-90 gap-4"
      >
        <div>
          <h1 className="text-[1.5rem] leading-8 font-[620] tracking-[-0.018em]">
            Set your password
          </h1>
          <p className="mt-1 text-ink-2">
            The link signs you in once. After that you sign in with your{' '}
            <span className="whitespace-nowrap">e-mail</span> and this password.
          </p>
        </div>
        {token ? null : (
          <Notice tone="no">
            This address has no token. Open the whole link that you were sent, also the part behind
            #.
          </Notice>
        )}
        {error ? (
          <Notice tone="no" role="alert">
            {linkSentence(error)}
          </Notice>
        ) : null}
        <TextField
          label="Your name"
          size="lg"
          autoComplete="name"
          value={name}
          onChange={setName}
          error={fieldError(error, '/name')}
          help="Leave it empty to keep the name in the invitation."
        />
        <PasswordField
          label="Password"
          size="lg"
          autoComplete="new-password"
          required
          value={password}
          onChange={setPassword}
          error={fieldError(error, '/password')}
          help="12 characters or more. A sentence is good."
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          busy={isBusy}
          disabledReason={token ? undefined : 'Open the whole link first.'}
        >
          Continue
        </Button>
      </form>
    </Door>
  )
}
