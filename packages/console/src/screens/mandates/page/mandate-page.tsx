import type { Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { History, Pencil } from 'lucide-react'
import { queries } from '../../../data/queries.ts'
import { isNotFound } from '../../../data/query-client.ts'
import { useMay } from '../../../data/session.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTitle } from '../../../page/use-title.ts'
import { MandateBadge } from '../../../parts/mandate-badge.tsx'
import { MandateWords } from '../../../parts/words/mandate-words.tsx'
import { useLimitUse } from '../../../parts/words/use-limit-use.ts'
import { Link } from '../../../router/link.tsx'
import { useParams } from '../../../router/use-router.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MANDATE_WORDS } from '../../../words/words.ts'
import { MissingMandate } from '../missing-mandate.tsx'
import { MandateAbout } from './mandate-about.tsx'
import { MandateBudget } from './mandate-budget.tsx'
import { MandateDrafts } from './mandate-drafts.tsx'
import { MandateMenu } from './mandate-menu.tsx'
import { RecentVersions } from './recent-versions.tsx'

/** `/mandates/:id`: the agent's permissions, and the remaining budget. */
export function MandatePage() {
  const { id = '' } = useParams()
  const mandate = useQuery(queries.mandate(id))
  if (isNotFound(mandate.error)) return <MissingMandate />
  if (mandate.data) return <Shown mandate={mandate.data} />
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Mandates', render: <Link to="/mandates" /> }]}
        title="Mandate"
      />
      <div className="p-6">
        <ErrorNotice
          error={asPurserError(mandate.error)}
          onRetry={() => void mandate.refetch()}
          title="The mandate could not be loaded."
        />
        {mandate.isPending ? <Skeleton height={420} shape="block" /> : null}
      </div>
    </>
  )
}

function Shown({ mandate }: { readonly mandate: Mandate }) {
  const { id, name, status, version } = mandate
  const may = useMay('mandates:write')
  useTitle(`${MANDATE_WORDS[status].word}: ${name}`)
  const isOpen = status === 'active' || status === 'draft'
  const used = useLimitUse(mandate)
  return (
    <>
      <PageHeader
        after={<MandateBadge status={status} version={status === 'active' ? version : undefined} />}
        crumbs={[{ label: 'Mandates', render: <Link to="/mandates" /> }]}
        title={<bdi>{name}</bdi>}
      >
        {mandate.draftOf === null ? (
          <Button
            icon={<History aria-hidden size={14} strokeWidth={1.5} />}
            render={<Link params={{ id }} to="/mandates/$id/versions" />}
          >
            Versions
          </Button>
        ) : null}
        <Button
          disabledReason={isOpen ? undefined : 'A mandate that has ended cannot be changed.'}
          icon={<Pencil aria-hidden size={14} strokeWidth={1.5} />}
          render={isOpen ? <Link params={{ id }} to="/mandates/$id/edit" /> : undefined}
          variant={isOpen ? 'primary' : 'default'}
        >
          {may.isAllowed ? 'Edit' : 'Try changes'}
        </Button>
        <MandateMenu mandate={mandate} />
      </PageHeader>
      <div className="grid gap-4 p-4 tablet:p-6 laptop:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 content-start gap-4">
          <MandateBudget mandate={mandate} />
          <MandateDrafts mandate={mandate} />
          <Card>
            <CardHeader note="All must pass." title="In words" />
            <CardBody>
              <MandateWords notes={used} terms={mandate} />
            </CardBody>
          </Card>
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <MandateAbout mandate={mandate} />
          {mandate.draftOf === null ? <RecentVersions id={id} /> : null}
        </div>
      </div>
    </>
  )
}
