import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { When } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { actorName } from '../sentences.ts'

const SHOWN = 5

/** The last versions: who changed it, and when. */
export function RecentVersions({ id }: { readonly id: string }) {
  const versions = useQuery(queries.mandateVersions(id)).data?.data ?? []
  if (versions.length === 0) return null
  return (
    <Card>
      <CardHeader
        action={
          <Link params={{ id }} to="/mandates/$id/versions">
            Compare
          </Link>
        }
        title="Versions"
      />
      <CardBody>
        <ul className="grid gap-2">
          {versions.slice(0, SHOWN).map(({ version, changedAt, changedBy, changedByName }) => (
            <li className="flex flex-wrap items-baseline gap-x-2" key={version}>
              {version > 1 ? (
                <Link
                  className="font-medium"
                  params={{ id }}
                  search={{ a: String(version - 1), b: String(version) }}
                  to="/mandates/$id/versions"
                >
                  Version {version}
                </Link>
              ) : (
                <span className="font-medium">Version {version}</span>
              )}
              <span className="text-small text-ink-3">
                {actorName(changedBy, changedByName)}, <When ago at={changedAt} />
              </span>
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}
