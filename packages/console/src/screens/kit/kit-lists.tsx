import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { Row, type SortDirection, Table, Td, Th } from '../../ui/table.tsx'
import { VirtualTable, type VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { KitDiff } from './kit-overlays.tsx'

interface Line {
  id: string
  agent: string
  vendor: string
  amount: string
}

const LINES: Line[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: `txn_${index}`,
  agent: ['Research agent', 'Travel booker', 'Ops runner'][index % 3] ?? '',
  vendor: ['api.exa.ai', 'sas.se', 'booking.com', 'hetzner.com'][index % 4] ?? '',
  amount: `${(index % 300) + 1}.00`,
}))

const CURL = `curl -s http://127.0.0.1:3000/api/v1/gateway/evaluate \\
  -H "Authorization: Bearer $PURSER_API_KEY" \\
  -d '{"amount": "12.50", "vendor": "api.exa.ai"}' # one spend`
const TS = `import { Purser } from '@purser/sdk'

const purser = new Purser({ apiKey: process.env.PURSER_API_KEY })
await purser.gateway.evaluate({ amount: '12.50', vendor: 'api.exa.ai' })`
const JSON_TEXT = `{
  "decision": "approved",
  "remainingBudget": "87.50",
  "flagged": false
}`

export function KitLists() {
  const [selected, setSelected] = useState<string | null>('txn_1')
  const [sort, setSort] = useState<SortDirection>('ascending')
  const table = useRef<VirtualTableHandle>(null)
  return (
    <>
      <Card className="flex h-100 flex-col overflow-hidden">
        <CardHeader
          action={
            <Button onClick={() => table.current?.scrollToKey('txn_5000')} size="sm">
              To row 5,000
            </Button>
          }
          title="10,000 rows"
        />
        <VirtualTable
          columns={[
            { id: 'id', header: 'Id', cell: (line: Line) => line.id, width: '8rem' },
            { id: 'agent', header: 'Agent', cell: (line) => line.agent, hideBelow: 'tablet' },
            {
              id: 'vendor',
              header: 'Vendor',
              cell: (line) => (
                <a className="font-medium text-ink" href={`#${line.id}`}>
                  {line.vendor}
                </a>
              ),
            },
            { id: 'amount', header: 'Amount', align: 'right', cell: (line) => line.amount },
          ]}
          heading={(line) => (line.id === 'txn_3' ? 'Yesterday' : null)}
          inCard
          label="Transactions"
          narrow={(line) => (
            <span className="block">
              <a className="font-medium text-ink" href={`#${line.id}`}>
                {line.vendor}
              </a>
              <span className="block text-small text-ink-3">
                {line.agent}, {line.amount}
              </span>
            </span>
          )}
          onRowClick={(line) => setSelected(line.id)}
          ref={table}
          rowKey={(line) => line.id}
          rows={LINES}
          selectedKey={selected}
        />
      </Card>
      <div className="grid min-w-0 items-start gap-4 tablet:grid-cols-2">
        <Card className="flex h-70 flex-col overflow-hidden">
          <CardHeader title="Loading rows" />
          <VirtualTable
            columns={[{ id: 'a', header: 'When', cell: () => '' }]}
            label="Loading"
            loading
            rowKey={() => ''}
            rows={[]}
          />
        </Card>
        <Card className="flex h-70 flex-col overflow-hidden">
          <CardHeader title="No rows" />
          <VirtualTable
            columns={[{ id: 'a', header: 'When', cell: () => '' }]}
            empty={<Empty command={CURL} title="No transactions yet." />}
            label="Nothing"
            rowKey={() => ''}
            rows={[]}
          />
        </Card>
        <Card>
          <CardHeader title="Table in a card" />
          <Table caption="Keys" inCard>
            <thead>
              <tr>
                <Th
                  onSort={() => setSort(sort === 'ascending' ? 'descending' : 'ascending')}
                  sort={sort}
                >
                  Name
                </Th>
                <Th onSort={() => undefined} sort={false}>
                  May
                </Th>
                <Th align="right">Calls</Th>
              </tr>
            </thead>
            <tbody>
              {LINES.slice(0, 3).map((line) => (
                <Row key={line.id} selected={line.id === 'txn_1'}>
                  <Td className="font-medium">{line.agent}</Td>
                  <Td>Spends</Td>
                  <Td align="right">{line.amount}</Td>
                </Row>
              ))}
            </tbody>
          </Table>
        </Card>
        <Card>
          <CardHeader title="Differences" />
          <CardBody>
            <KitDiff />
          </CardBody>
        </Card>
        <Card className="tablet:col-span-2">
          <CardHeader title="Code" />
          <CardBody>
            <Snippets
              tabs={[
                { label: 'curl', code: CURL, lang: 'bash' },
                { label: 'TypeScript', code: TS, lang: 'ts' },
                { label: 'Answer', code: JSON_TEXT, lang: 'json' },
              ]}
            />
          </CardBody>
        </Card>
      </div>
    </>
  )
}
