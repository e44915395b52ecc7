import type { Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { isNotFound } from '../../../data/query-client.ts'
import { useMe } from '../../../data/session.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Link } from '../../../router/link.tsx'
import { Navigate, useParams, useSearch } from '../../../router/use-router.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MANDATE_WORDS } from '../../../words/words.ts'
import { MissingMandate } from '../missing-mandate.tsx'
import { EditorScreen } from './editor-screen.tsx'
import { useSavesEnded } from './save/running-saves.ts'
import type { Source } from './source.ts'
import { type SpendToAllow, useSpendToAllow } from './use-spend-to-allow.ts'

/** `/mandates/:id/edit`: edits a draft, or the next version of an active mandate. */
export function MandateEditor() {
  const { id = '' } = useParams()
  return <AfterSaves id={id} key={id} />
}

/** Waits for saves that are under way: their content belongs to the form. */
function AfterSaves({ id }: { readonly id: string }) {
  return useSavesEnded(id) ? <LoadedEditor id={id} /> : <Loading />
}

function LoadedEditor({ id }: { readonly id: string }) {
  const search = useSearch()
  // A copy from an earlier page could be outdated: the form starts from the gateway's state.
  const mandate = useQuery({ ...queries.mandate(id), refetchOnMount: 'always' })
  const drafts = useQuery({ ...queries.mandates({ draftOf: id }), refetchOnMount: 'always' })
  const { from, isPending } = useSpendToAllow(search['from'])
  const error = mandate.error ?? drafts.error
  const isReady = mandate.isFetchedAfterMount && drafts.isFetchedAfterMount && !isPending
  if (isNotFound(error)) return <MissingMandate />
  // A later refetch can fail while a person edits: the form stays then.
  if (error && !(isReady && mandate.data && drafts.data)) {
    return (
      <div className="p-6">
        <ErrorNotice
          error={asPurserError(error)}
          onRetry={() => void Promise.all([mandate.refetch(), drafts.refetch()])}
          title="The mandate could not be loaded."
        />
      </div>
    )
  }
  if (!isReady || !mandate.data || !drafts.data) return <Loading />
  const { data } = mandate
  if (data.draftOf !== null) {
    return (
      <Navigate
        params={{ id: data.draftOf }}
        replace
        search={{ ...search, draft: data.id }}
        to="/mandates/$id/edit"
      />
    )
  }
  return (
    <Loaded
      drafts={drafts.data.data}
      from={from}
      key={`${id} ${search['draft'] ?? ''}`}
      mandate={data}
      wanted={search['draft']}
    />
  )
}

interface LoadedProps {
  readonly mandate: Mandate
  readonly drafts: readonly Mandate[]
  /** The draft that the address names. */
  readonly wanted: string | undefined
  readonly from: SpendToAllow | undefined
}

function Loaded({ mandate, drafts, wanted, from }: LoadedProps) {
  const { member } = useMe()
  // The editor keeps its draft, however the list changes while it is open.
  const [source] = useState(() => sourceOf(mandate, drafts, wanted, member.id))
  if (!source) return <Ended mandate={mandate} />
  const own = source.kind === 'new' ? undefined : source.draft?.id
  const others = drafts.filter(({ id, updatedBy }) => id !== own && updatedBy !== member.id)
  return <EditorScreen from={from} otherDrafts={others} source={source} />
}

/** A person goes on with their own newest draft, unless the address names a different one. */
function sourceOf(
  mandate: Mandate,
  drafts: readonly Mandate[],
  wanted: string | undefined,
  memberId: string,
): Source | undefined {
  if (mandate.status === 'draft') return { kind: 'draft', draft: mandate }
  if (mandate.status !== 'active') return undefined
  const named = drafts.find(({ id }) => id === wanted)
  const own = drafts.find(({ updatedBy }) => updatedBy === memberId)
  return { kind: 'next', base: mandate, draft: named ?? own }
}

function Ended({ mandate: { name, status, agentId } }: { readonly mandate: Mandate }) {
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Mandates', render: <Link to="/mandates" /> }]}
        title={<bdi>{name}</bdi>}
      />
      <div className="p-6">
        <Notice
          action={
            <Button render={<Link search={{ agent: agentId }} to="/mandates/new" />}>
              New mandate
            </Button>
          }
          title={`${MANDATE_WORDS[status].word}.`}
        >
          A mandate that has ended cannot be changed. Create a new one for the agent.
        </Notice>
      </div>
    </>
  )
}

function Loading() {
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Mandates', render: <Link to="/mandates" /> }]}
        title="Mandate"
      />
      <div className="p-6">
        <Skeleton height={520} shape="block" />
      </div>
    </>
  )
}
