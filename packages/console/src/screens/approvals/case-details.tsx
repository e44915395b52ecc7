import type { Approval, Requester } from '@purser/sdk'
import type { ReactNode } from 'react'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { Id } from '../../parts/id.tsx'
import { showControls } from '../../parts/quoted.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { PATH_WORDS } from '../../words/words.ts'

/** Who sent the spend, and the data that came with it. */
export function CaseDetails({ approval }: { readonly approval: Approval }) {
  const { agentId, agentName, category, path, payee, cardId, metadata } = approval
  const { requestedBy, alike, createdAt, transactionId } = approval
  return (
    <Card className="@min-[42rem]:col-span-2">
      <CardHeader
        as="h3"
        title="Details"
        action={
          <Link to="/transactions/$id" params={{ id: transactionId }}>
            See the decision
          </Link>
        }
      />
      <CardBody className="grid gap-x-8 gap-y-1.75 @min-[42rem]:grid-cols-2 *:content-start">
        <DescriptionList
          rows={[
            { label: 'Agent', value: <AgentChip name={agentName} id={agentId} /> },
            { label: 'Category', value: category },
            { label: 'Paid by', value: PATH_WORDS[path] },
            { label: 'Payee', value: payee === null ? null : <Id value={payee} whole /> },
            {
              label: 'Card',
              value:
                cardId === null ? null : (
                  <Link to="/cards" search={{ agent: agentId }}>
                    {cardId}
                  </Link>
                ),
            },
            { label: 'Sent by', value: requestedBy && <Sender requester={requestedBy} /> },
          ]}
        />
        <DescriptionList
          rows={[
            { label: 'Requested', value: <When at={createdAt} ago /> },
            { label: 'Sent', value: alike > 1 ? `${alike} times` : 'once' },
            ...Object.entries(metadata ?? {}).map(([name, value]) => ({
              ...{ key: `metadata ${name}`, label: <Outside text={name} /> },
              value: <Outside text={value} />,
            })),
          ]}
        />
      </CardBody>
    </Card>
  )
}

const KINDS: Readonly<Record<string, string>> = { key: 'The key ', issuer: 'The card issuer ' }

function Sender({ requester: { kind, name } }: { readonly requester: Requester }): ReactNode {
  return (
    <>
      {KINDS[kind] ?? ''}
      <bdi>{name}</bdi>
    </>
  )
}

/** Text from outside: its direction stays inside it, and control characters are visible. */
function Outside({ text }: { readonly text: string }) {
  return <bdi className="font-mono text-small [overflow-wrap:anywhere]">{showControls(text)}</bdi>
}
