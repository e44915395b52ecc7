import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { queries } from '../../../data/queries.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { SecretOnce } from '../../../parts/secret/secret-once.tsx'
import { When } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { countOf } from '../../../words/text.ts'

/** Ten codes, each signs in once. They are shown once. */
export function RecoveryCodes() {
  const { data } = useQuery(queries.recoveryCodes())
  const [isAsking, setAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const create = useAction({
    run: (_: undefined) => callConsole('createRecoveryCodes'),
    sentence: 'Make new recovery codes.',
    touches: [['me', 'recoveryCodes']],
    onDone: (answer) => {
      setAsking(false)
      setCodes(answer.codes)
    },
  })
  const left = data?.left ?? 0
  function close() {
    setCodes(null)
    create.reset()
  }
  return (
    <Card aria-label="Recovery codes">
      <CardHeader
        action={
          <Button
            busy={create.isBusy && !isAsking}
            onClick={() => (left > 0 ? setAsking(true) : void create.start(undefined))}
            size="sm"
          >
            {left > 0 ? 'Make new codes' : 'Make recovery codes'}
          </Button>
        }
        title="Recovery codes"
      />
      <CardBody className="grid gap-2">
        <Left createdAt={data?.createdAt ?? null} left={left} />
        <ErrorNotice error={isAsking ? null : create.error} title="No codes were made." />
      </CardBody>
      {isAsking ? (
        <Confirm
          action={{
            label: 'Make new codes',
            onConfirm: async () => {
              if (!(await create.start(undefined))) throw new Error('no codes')
            },
          }}
          effect={`You get ten new codes. The ${countOf(left, 'code')} that you have left ${left === 1 ? 'stops' : 'stop'} working at once.`}
          error={create.error ? errorSentence(create.error) : undefined}
          onClose={() => setAsking(false)}
          open
          title="Make new recovery codes?"
        />
      ) : null}
      {codes ? (
        <SecretOnce
          description="Keep them in a password manager or on paper. Each code signs you in once. Purser keeps only hashes, so no one can show them again."
          isPlural
          noun="codes"
          onClose={close}
          secret={codes.join('\n')}
          title="Here are your recovery codes"
        />
      ) : null}
    </Card>
  )
}

function Left({ left, createdAt }: { readonly left: number; readonly createdAt: string | null }) {
  if (left === 0) {
    return (
      <p className="text-ink-2">
        None. A recovery code signs you in once, if you lose your passkey or forget your password.
      </p>
    )
  }
  return (
    <p className={left <= 2 ? 'font-medium text-ask' : 'text-ink-2'}>
      {countOf(left, 'code')} left
      {createdAt === null ? null : (
        <>
          , made <When ago at={createdAt} />
        </>
      )}
      .
    </p>
  )
}
