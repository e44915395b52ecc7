import { type FormEvent, useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { useMe } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import type { UpdateMe } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { ROLE_WORDS } from '../../../words/roles.ts'

/** The name under which Purser records the actions of the member. */
export function OwnName() {
  const { member } = useMe()
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? member.name
  const hasChange = name.trim() !== '' && name.trim() !== member.name
  const save = useAction({
    run: (body: UpdateMe) => callConsole('updateMe', { body }),
    sentence: 'Change your name.',
    touches: [['me'], ['members']],
    done: () => 'Your name is saved.',
    onDone: () => setTyped(null),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (hasChange) void save.start({ name: name.trim() })
  }
  const { name: role, may } = ROLE_WORDS[member.role]
  const nameError = fieldError(save.error, '/name')
  return (
    <Card aria-label="You">
      <CardHeader note={member.email} title="You" />
      <CardBody>
        <form className="grid gap-3" onSubmit={submit}>
          <TextField
            autoComplete="name"
            error={nameError}
            label="Name"
            maxLength={120}
            onChange={setTyped}
            value={name}
          />
          <p className="text-small text-ink-3">
            {role}: {may}.
          </p>
          <ErrorNotice
            error={nameError === undefined ? save.error : null}
            title="The name was not saved."
          />
          {hasChange ? (
            <div className="flex gap-2">
              <Button busy={save.isBusy} type="submit" variant="primary">
                Save name
              </Button>
              <Button onClick={() => setTyped(null)}>Discard</Button>
            </div>
          ) : null}
        </form>
      </CardBody>
    </Card>
  )
}

/** A new password ends all other sessions. */
export function OwnPassword() {
  const { member } = useMe()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const save = useAction({
    run: (body: UpdateMe) => callConsole('updateMe', { body }),
    sentence: 'Change your password.',
    touches: [['me']],
    done: () => 'Your password is changed. Other sessions have ended.',
    onDone: () => {
      setCurrent('')
      setNext('')
      // The passwords are in the input of the action as well.
      save.reset()
    },
  })
  const isWrong = save.error?.code === 'wrong_credentials'
  const nextError = fieldError(save.error, '/newPassword')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (current !== '' && next !== '') {
      void save.start({ currentPassword: current, newPassword: next })
    }
  }
  return (
    <Card aria-label="Password">
      <CardHeader title="Password" />
      <CardBody>
        <form className="grid gap-3" onSubmit={submit}>
          <input autoComplete="username" hidden readOnly value={member.email} />
          <div className="grid gap-3 phone:grid-cols-2">
            <PasswordField
              autoComplete="current-password"
              error={isWrong ? 'This is not your password.' : undefined}
              label="Current password"
              onChange={setCurrent}
              value={current}
            />
            <PasswordField
              autoComplete="new-password"
              error={nextError}
              help="12 characters or more. A sentence is good."
              label="New password"
              onChange={setNext}
              value={next}
            />
          </div>
          <ErrorNotice
            error={isWrong || nextError !== undefined ? null : save.error}
            title="The password was not changed."
          />
          <div>
            <Button
              busy={save.isBusy}
              disabledReason={current === '' || next === '' ? 'Fill in both fields.' : undefined}
              type="submit"
            >
              Change password
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}
