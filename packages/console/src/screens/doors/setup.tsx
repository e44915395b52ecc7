import type { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, KeyRound } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'
import { isAllUnder, type Mistakes, mistakesOf, useMistakes } from '../../page/form-errors.ts'
import { useTitle } from '../../page/use-title.ts'
import { CURRENCIES, TIMEZONES } from '../../parts/choices.ts'
import { Navigate } from '../../router/use-router.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Door } from './door.tsx'
import { missingIn } from './missing.ts'
import { setupSentence } from './sentences.ts'
import { useEnter } from './use-enter.ts'
import { useToken } from './use-token.ts'

const FIELDS = ['token', 'name', 'email', 'password', 'organization', 'timezone', 'currency'].map(
  (name) => `/${name}`,
)

/** The first member becomes the owner. The token is behind `#`, so that no log has it. */
export function Setup() {
  useTitle('Set up')
  const link = useToken()
  const enter = useEnter('/start')
  const [fields, setFields] = useState({
    ...{ name: '', email: '', password: '', organization: '', currency: 'USD' },
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  })
  const [pasted, setPasted] = useState('')
  // A link that the gateway refused gives way to a field, and the rest of the form stays.
  const [ended, setEnded] = useState<string | null>(null)
  const token = link === ended ? undefined : link
  const [error, setError] = useState<PurserError | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const mistakes = useMistakes(form)
  const set = (name: keyof typeof fields) => (value: string) => {
    mistakes.clear(name)
    setFields((before) => ({ ...before, [name]: value }))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const body = { token: token ?? pasted.trim(), ...fields }
    const missing = missingIn(body, true)
    setError(null)
    mistakes.refuse(missing ?? {})
    if (missing) return
    setIsBusy(true)
    try {
      await callConsole('setUp', { body })
      await enter()
    } catch (failure) {
      const reason = asPurserError(failure)
      setError(reason)
      mistakes.refuse(setupMistakes(reason))
      if (reason?.code === 'link_ended' && link !== undefined) setEnded(link)
      setIsBusy(false)
    }
  }
  const { data: state } = useQuery(queries.state())
  // Without a link there is nothing to do here once the gateway has a member.
  if (state && !state.needsSetup && link === undefined && !isBusy) {
    return <Navigate replace to="/sign-in" />
  }
  return (
    <Door
      title="Two minutes to the first decision."
      text="You, a key, an agent with a mandate, and then its first spend: approved or rejected before your eyes."
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid w-full max-w-105 gap-3.5"
      >
        <div>
          {token ? (
            <p className="mb-1.5 flex flex-wrap items-center gap-2 text-small text-ink-3">
              <Badge tone="done" icon={<KeyRound size={13} strokeWidth={1.75} />}>
                Token read from the link
              </Badge>
              It works once.
            </p>
          ) : null}
          <h1 className="text-[1.5rem] leading-8 font-[620] tracking-[-0.018em]">Set up Purser</h1>
        </div>
        {error && error.code !== 'link_ended' && !isAllUnder(error, FIELDS) ? (
          <Notice tone="no" role="alert">
            {setupSentence(error)}
          </Notice>
        ) : null}
        {token ? null : (
          <TextField
            label="Set-up token"
            size="lg"
            required
            value={pasted}
            onChange={(value) => {
              mistakes.clear('token')
              setPasted(value)
            }}
            autoComplete="off"
            mono
            spellCheck={false}
            error={mistakes.of('token')}
            help="The start of the gateway names the file that holds it."
          />
        )}
        <div className="grid gap-3.5 phone:grid-cols-2">
          <TextField
            label="Your name"
            size="lg"
            autoComplete="name"
            required
            value={fields.name}
            onChange={set('name')}
            error={mistakes.of('name')}
          />
          <TextField
            label="Your e-mail"
            type="email"
            size="lg"
            autoComplete="username"
            required
            value={fields.email}
            onChange={set('email')}
            error={mistakes.of('email')}
          />
        </div>
        <PasswordField
          label="Password"
          size="lg"
          autoComplete="new-password"
          required
          value={fields.password}
          onChange={set('password')}
          error={mistakes.of('password')}
          help="12 characters or more. A sentence is good. You can add a passkey afterwards."
        />
        <TextField
          label="Organization"
          size="lg"
          autoComplete="organization"
          required
          value={fields.organization}
          onChange={set('organization')}
          error={mistakes.of('organization')}
        />
        <div className="grid gap-3.5 phone:grid-cols-2">
          <Combobox
            label="Time zone"
            size="lg"
            value={fields.timezone}
            onChange={set('timezone')}
            options={TIMEZONES}
            error={mistakes.of('timezone')}
            help="When days and months begin"
          />
          <Combobox
            label="Currency"
            size="lg"
            value={fields.currency}
            onChange={set('currency')}
            options={CURRENCIES}
            error={mistakes.of('currency')}
            help="For new mandates"
          />
        </div>
        <Button type="submit" variant="primary" size="lg" className="mt-1.5" busy={isBusy}>
          <span className="inline-flex items-center gap-1.5">
            Continue <ArrowRight size={14} strokeWidth={1.75} aria-hidden />
          </span>
        </Button>
        <p className="text-small text-ink-3">
          You become the owner. Everything here can be changed later.
        </p>
      </form>
    </Door>
  )
}

/** A token that has ended is a mistake in its field. */
function setupMistakes(reason: PurserError | null): Mistakes {
  return reason?.code === 'link_ended' ? { token: setupSentence(reason) } : mistakesOf(reason)
}
