import type { Mandate, MandateVersion } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { isNotFound } from '../../../data/query-client.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTitle } from '../../../page/use-title.ts'
import { MandateBadge } from '../../../parts/mandate-badge.tsx'
import { Link } from '../../../router/link.tsx'
import { useNavigate, useParams, useSearch } from '../../../router/use-router.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MissingMandate } from '../missing-mandate.tsx'
import { chosenPair } from './chosen-pair.ts'
import { SideBySide } from './side-by-side.tsx'
import { VersionList } from './version-list.tsx'

/** `/mandates/:id/versions?a=3&b=4`: every version, and any two of them side by side. */
export function MandateVersions() {
  const { id = '' } = useParams()
  const mandate = useQuery(queries.mandate(id))
  const versions = useQuery(queries.mandateVersions(id))
  const name = mandate.data?.name ?? 'Mandate'
  useTitle(`Versions: ${name}`)
  if (isNotFound(mandate.error)) return <MissingMandate />
  return (
    <>
      <PageHeader
        after={
          mandate.data ? (
            <MandateBadge status={mandate.data.status} version={mandate.data.version} />
          ) : undefined
        }
        crumbs={[
          { label: 'Mandates', render: <Link to="/mandates" /> },
          { label: <bdi>{name}</bdi>, render: <Link params={{ id }} to="/mandates/$id" /> },
        ]}
        title="Versions"
      />
      {mandate.data && versions.data ? (
        <Compared mandate={mandate.data} versions={versions.data.data} />
      ) : (
        <div className="p-6">
          <ErrorNotice
            error={asPurserError(mandate.error ?? versions.error)}
            onRetry={() => void Promise.all([mandate.refetch(), versions.refetch()])}
            title="The versions could not be loaded."
          />
          {versions.isPending ? <Skeleton height={420} shape="block" /> : null}
        </div>
      )}
    </>
  )
}

interface ComparedProps {
  readonly mandate: Mandate
  readonly versions: readonly MandateVersion[]
}

function Compared({ mandate, versions }: ComparedProps) {
  const search = useSearch()
  const navigate = useNavigate()
  const pair = chosenPair(versions, search['a'], search['b'])
  const choose = (side: 'a' | 'b', version: number) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, ...pairText(pair), [side]: String(version) }),
    })
  return (
    <div className="grid flex-1 desk:min-h-0 desk:grid-cols-[23rem_minmax(0,1fr)] desk:overflow-hidden">
      <div className="min-w-0 border-line desk:overflow-auto desk:border-r">
        <VersionList onChoose={choose} pair={pair} versions={versions} />
      </div>
      <div className="min-w-0 p-4 tablet:p-6 desk:overflow-auto">
        <SideBySide mandate={mandate} onChoose={choose} pair={pair} versions={versions} />
      </div>
    </div>
  )
}

function pairText(pair: ReturnType<typeof chosenPair>) {
  return pair ? { a: String(pair.a.version), b: String(pair.b.version) } : {}
}
