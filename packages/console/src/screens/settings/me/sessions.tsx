import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../../data/console-api.ts'
import { queries } from '../../../data/queries.ts'
import { asPurserError, useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { When } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { countOf } from '../../../words/text.ts'
import { browserName } from './browser-name.ts'

/** Where this member is signed in. */
export function Sessions() {
  const { data, error, refetch } = useQuery(queries.sessions())
  const end = useAction({
    run: (id: string) => callConsole('endSession', { params: { id } }),
    sentence: 'End a session.',
    touches: [['me', 'sessions']],
    done: () => 'The session has ended.',
  })
  const endOthers = useAction({
    run: (_: undefined) => callConsole('endOtherSessions'),
    sentence: 'End all other sessions.',
    touches: [['me', 'sessions']],
    done: ({ ended }) => `${countOf(ended, 'session')} ended.`,
  })
  const others = (data?.data ?? []).filter(({ current }) => !current)
  return (
    <Card aria-label="Sessions">
      <CardHeader
        action={
          others.length > 0 ? (
            <Button
              busy={endOthers.isBusy}
              onClick={() => void endOthers.start(undefined)}
              size="sm"
            >
              End all others
            </Button>
          ) : undefined
        }
        title="Sessions"
      />
      <CardBody className="grid gap-3">
        <ErrorNotice error={end.error ?? endOthers.error} title="The session did not end." />
        {data ? (
          <ul>
            {data.data.map((session) => (
              <li
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line py-2 not-first:border-t first:pt-0 last:pb-0"
                key={session.id}
              >
                <div className="min-w-0 flex-1 basis-52">
                  <span className="font-medium" title={session.userAgent}>
                    {browserName(session.userAgent)}
                  </span>{' '}
                  {session.current ? <Tag>this one</Tag> : null}
                  <div className="text-small text-ink-3">
                    <code>{session.address}</code> · used <When ago at={session.lastSeenAt} /> ·
                    signed in <When ago at={session.createdAt} /> · expires{' '}
                    <When ago at={session.endsAt} />
                  </div>
                </div>
                {session.current ? null : (
                  <Button
                    aria-label={`End the session of ${browserName(session.userAgent)} at ${session.address}`}
                    disabled={end.isBusy}
                    onClick={() => void end.start(session.id)}
                    size="sm"
                  >
                    End
                  </Button>
                )}
              </li>
            ))}
          </ul>
        ) : error ? (
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="The sessions could not be loaded."
          />
        ) : (
          <Skeleton rows={2} />
        )}
      </CardBody>
    </Card>
  )
}
