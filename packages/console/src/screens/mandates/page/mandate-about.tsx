import type { Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { AgentChip } from '../../../parts/agent-chip.tsx'
import { Id } from '../../../parts/id.tsx'
import { When } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { dateText } from '../../../words/term-words.ts'
import { actorName } from '../sentences.ts'

/** The facts about a mandate, and the mandates above and below it. */
export function MandateAbout({ mandate }: { readonly mandate: Mandate }) {
  const { id, agentId, parentMandateId, timezone, validFrom, validUntil, updatedAt } = mandate
  const parent = useQuery({
    ...queries.mandate(parentMandateId ?? ''),
    enabled: parentMandateId !== null,
  }).data
  const children = useQuery(queries.mandates({ parentMandateId: id })).data?.data ?? []
  const { updatedBy, updatedByName } = mandate
  return (
    <Card>
      <CardHeader title="About" />
      <CardBody>
        <DescriptionList
          rows={[
            { label: 'Agent', value: <AgentChip id={agentId} name={mandate.agentName ?? null} /> },
            { label: 'Id', value: <Id value={id} /> },
            {
              label: 'Parent',
              value: parentMandateId ? (
                <MandateLink id={parentMandateId} name={parent?.name ?? parentMandateId} />
              ) : null,
            },
            {
              label: 'Children',
              value:
                children.length === 0 ? null : (
                  <ul>
                    {children.map((child) => (
                      <li key={child.id}>
                        <MandateLink id={child.id} name={child.name} />
                      </li>
                    ))}
                  </ul>
                ),
            },
            { label: 'Currency', value: mandate.currency },
            { label: 'Time zone', value: timezone },
            { label: 'Starts', value: validFrom ? dateText(validFrom, timezone) : null },
            { label: 'Expires', value: validUntil ? dateText(validUntil, timezone) : 'Never' },
            {
              label: 'Changed',
              value: (
                <>
                  <When ago at={updatedAt} /> by {actorName(updatedBy, updatedByName)}
                </>
              ),
            },
            {
              label: 'Spends',
              value: (
                <Link search={{ mandate: id }} to="/transactions">
                  All transactions
                </Link>
              ),
            },
          ]}
        />
      </CardBody>
    </Card>
  )
}

function MandateLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Link params={{ id }} to="/mandates/$id">
      <bdi>{name}</bdi>
    </Link>
  )
}
