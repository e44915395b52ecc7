import type { Mandate } from '@purser/sdk'
import { useMay } from '../../data/session.ts'
import { When } from '../../parts/when.tsx'
import { MandateWords } from '../../parts/words/mandate-words.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Tag } from '../../ui/tag.tsx'

interface MandateCardProps {
  readonly agentId: string
  readonly mandate: Mandate | null
}

/** The mandate in words. */
export function MandateCard({ agentId, mandate }: MandateCardProps) {
  const may = useMay('mandates:write')
  if (!mandate) {
    return (
      <Card>
        <CardHeader
          title="Mandate"
          action={
            may.isAllowed ? (
              <Link to="/mandates/new" search={{ agent: agentId }}>
                Create one
              </Link>
            ) : undefined
          }
        />
        <CardBody className="text-ink-2">No active mandate.</CardBody>
      </Card>
    )
  }
  const { id, version, updatedAt, updatedByName } = mandate
  return (
    <Card>
      <CardHeader
        title={
          <Link to="/mandates/$id" params={{ id }} className="text-ink">
            <bdi>{mandate.name}</bdi>
          </Link>
        }
        note={<Tag>version {version}</Tag>}
        action={
          <Link to="/mandates/$id/edit" params={{ id }}>
            {may.isAllowed ? 'Edit' : 'Try changes'}
          </Link>
        }
      />
      <CardBody>
        <MandateWords terms={mandate} />
        <p className="mt-3 text-small text-ink-3">
          Changed <When at={updatedAt} ago />
          {updatedByName ? ` by ${updatedByName}` : ''}.{' '}
          {version > 1 ? (
            <Link
              to="/mandates/$id/versions"
              params={{ id }}
              search={{ a: String(version - 1), b: String(version) }}
            >
              What changed
            </Link>
          ) : null}
        </p>
      </CardBody>
    </Card>
  )
}
