import type { Agent } from '@purser/sdk'
import { Id } from '../../parts/id.tsx'
import { useTimezone, When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { formatDay } from '../../words/time.ts'

export function AboutCard({ agent }: { readonly agent: Agent }) {
  const timezone = useTimezone()
  const { id, externalId, description, createdAt, updatedAt, updatedByName, metadata } = agent
  return (
    <Card>
      <CardHeader
        title="About"
        action={
          <Link to="/audit" search={{ subject: id }}>
            Changes
          </Link>
        }
      />
      <CardBody>
        <DescriptionList
          rows={[
            { label: 'Id', value: <Id value={id} /> },
            { label: 'Your id', value: externalId && <Id value={externalId} whole /> },
            { label: 'Description', value: description && <bdi>{description}</bdi> },
            { label: 'Registered', value: formatDay(new Date(createdAt), timezone, new Date()) },
            {
              label: 'Changed',
              value: (
                <>
                  <When at={updatedAt} ago />
                  {updatedByName ? ` by ${updatedByName}` : ''}
                </>
              ),
            },
            ...Object.entries(metadata).map(([name, value]) => ({
              ...{ key: `metadata ${name}`, label: <bdi>{name}</bdi> },
              value: <bdi className="[overflow-wrap:anywhere]">{value}</bdi>,
            })),
          ]}
        />
      </CardBody>
    </Card>
  )
}
