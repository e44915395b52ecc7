import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { type ApiDocument, openApiQuery } from '../../data/openapi.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { Link } from '../../router/link.tsx'
import { useNavigate, useParams, useSearch } from '../../router/use-router.ts'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CallPane } from './call-pane.tsx'
import { contentsOf } from './contents.ts'
import { EventPane } from './event-pane.tsx'
import { Intro } from './intro.tsx'
import { Nav } from './nav.tsx'
import { OperationWords } from './operation-words.tsx'

/** The API, from the document that this gateway serves. */
export function Reference() {
  const loaded = useQuery(openApiQuery())
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader title="API reference" after={<Crumb />} />
      {loaded.data ? (
        <Content document={loaded.data} />
      ) : (
        <div className="p-4 tablet:p-6">
          {loaded.isError ? (
            <ErrorNotice
              title="The document could not be loaded."
              error={asPurserError(loaded.error)}
              onRetry={() => void loaded.refetch()}
            />
          ) : (
            <Skeleton rows={10} />
          )}
        </div>
      )}
    </div>
  )
}

function Crumb() {
  return (
    <Link
      to="/reference/{-$operationId}"
      params={{ operationId: undefined }}
      className="text-ink-3"
    >
      From /openapi.json of this gateway
    </Link>
  )
}

function Content({ document }: { readonly document: ApiDocument }) {
  const { operationId } = useParams()
  const { lang } = useSearch<{ readonly lang?: string }>()
  const navigate = useNavigate()
  const groups = useMemo(() => contentsOf(document), [document])
  const entry = groups.flatMap(({ entries }) => entries).find(({ id }) => id === operationId)
  useTitle(entry ? entry.operation.summary : 'API reference')
  const page = useRef<HTMLDivElement>(null)
  // Each operation begins at its top.
  useEffect(() => {
    if (operationId !== undefined) page.current?.scrollTo({ top: 0 })
  }, [operationId])
  return (
    <div className="grid min-h-0 flex-1 tablet:grid-cols-[16.5rem_minmax(0,1fr)] tablet:grid-rows-[minmax(0,1fr)]">
      <div
        className="flex min-h-0 flex-col border-line max-tablet:border-b tablet:border-r"
        data-print="none"
      >
        <Nav groups={groups} currentId={entry?.id} />
      </div>
      <div ref={page} className="min-h-0 tablet:overflow-y-auto">
        {entry ? (
          <div className="grid desk:min-h-full desk:grid-cols-[minmax(0,1fr)_28rem]" key={entry.id}>
            <OperationWords document={document} entry={entry} />
            <div className="min-w-0 border-line max-desk:border-t desk:border-l">
              {entry.method ? (
                <CallPane
                  {...{ document, entry, lang }}
                  onLang={(next) =>
                    void navigate({
                      ...{ to: '.', replace: true },
                      search: { lang: next === 'curl' ? undefined : next } as never,
                    })
                  }
                />
              ) : (
                <EventPane entry={entry} />
              )}
            </div>
          </div>
        ) : operationId === undefined ? (
          <Intro document={document} groups={groups} />
        ) : (
          <div className="p-4 tablet:p-6">
            <Notice title="There is no such operation.">
              This gateway has no operation with the name <code>{operationId}</code>.
            </Notice>
          </div>
        )}
      </div>
    </div>
  )
}
