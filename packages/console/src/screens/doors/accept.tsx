import type { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { asPurserError } from '../../data/use-action.ts'
import { isAllUnder, mistakesOf, useMistakes } from '../../page/form-errors.ts'
import { useTitle } from '../../page/use-title.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AcceptHead } from './accept-head.tsx'
import { Door } from './door.tsx'
import { missingIn } from './missing.ts'
import { linkSentence, nameHelp } from './sentences.ts'
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
  const mistakes = useMistakes(form)
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => callConsole('readLink', { body: { token: token ?? '' }, signal }),
    enabled: token !== undefined,
    // The link is used when the form is sent, so a new look would find it ended.
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY },
  })
  const failure = error ?? (link.error ? asPurserError(link.error) : null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!token) return
    const missing = missingIn({ password }, true)
    setError(null)
    mistakes.refuse(missing ?? {})
    if (missing) return
    setIsBusy(true)
    try {
      const body = { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) }
      await callConsole('acceptInvitation', { body })
      await enter()
    } catch (cause) {
      const reason = asPurserError(cause)
      setError(reason)
      mistakes.refuse(mistakesOf(reason))
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
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid w-full max-w-90 gap-4"
      >
        <AcceptHead link={link.data} />
        {token ? null : (
          <Notice tone="no">
            This address has no token. Open the whole link that you were sent, also the part behind
            #.
          </Notice>
        )}
        {failure && !isAllUnder(failure, ['/name', '/password']) ? (
          <Notice tone="no" role="alert">
            {linkSentence(failure)}
          </Notice>
        ) : null}
        {link.data?.kind === 'reset' ? null : (
          <TextField
            label="Your name"
            size="lg"
            autoComplete="name"
            value={name}
            onChange={(value) => {
              mistakes.clear('name')
              setName(value)
            }}
            error={mistakes.of('name')}
            help={nameHelp(link.data?.name ?? null)}
          />
        )}
        <PasswordField
          label="Password"
          size="lg"
          autoComplete="new-password"
          required
          value={password}
          onChange={(value) => {
            mistakes.clear('password')
            setPassword(value)
          }}
          error={mistakes.of('password')}
          help="12 characters or more. A sentence is good."
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          busy={isBusy}
          disabledReason={blockOf(token, failure)}
        >
          {link.data?.kind === 'invite' ? 'Join' : 'Continue'}
        </Button>
      </form>
    </Door>
  )
}

function blockOf(token: string | undefined, failure: PurserError | null): string | undefined {
  if (!token) return 'Open the whole link first.'
  return failure?.code === 'link_ended' ? 'Ask for a new link first.' : undefined
}
