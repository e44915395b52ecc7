import { useQuery } from '@tanstack/react-query'
import { Anchor, Check, type LucideIcon, UserRound, X } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { Amount } from '../../parts/amount.tsx'
import { PathIcon } from '../../parts/path-icon.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Row, Table, Td, Th } from '../../ui/table.tsx'
import { verdictWord } from '../../words/verdict.ts'
import { codeWord, type Tone } from '../../words/words.ts'
import { forgetAll, type PastAnswer, useHistory } from './history.ts'

interface HistoryListProps {
  readonly owner: string
  /** The spend that is shown now, as JSON of its address. */
  readonly current: string
}

/** The spends that the person tried in this session. A row leads back to its spend. */
export function HistoryList({ owner, current }: HistoryListProps) {
  const answers = useHistory(owner)
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const names = new Map((agents?.data ?? []).map(({ id, name }) => [id, name]))
  if (answers.length === 0) return null
  return (
    <section className="border-t border-line pt-4" aria-labelledby="simulator-history">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-2 tablet:px-6">
        <h2 id="simulator-history" className="text-body font-strong">
          Tried in this session
        </h2>
        <span className="text-small text-ink-3">In this tab only.</span>
        <Button size="sm" variant="quiet" className="ml-auto" onClick={() => forgetAll(owner)}>
          Clear
        </Button>
      </div>
      <div className="overflow-x-auto">
        <Table caption="Spends that were tried in this session, newest first">
          <thead>
            <tr>
              <Th className="max-phone:hidden">When</Th>
              <Th>Answer</Th>
              <Th className="max-tablet:hidden">Agent</Th>
              <Th>Vendor</Th>
              <Th className="max-laptop:hidden">For</Th>
              <Th align="right">Amount</Th>
              <Th className="max-laptop:hidden">Why</Th>
            </tr>
          </thead>
          <tbody>
            {answers.map((one) => {
              const key = JSON.stringify(one.search)
              return (
                <Row key={key} selected={key === current}>
                  <Cells one={one} name={names.get(one.agentId) ?? 'Deleted agent'} />
                </Row>
              )
            })}
          </tbody>
        </Table>
      </div>
    </section>
  )
}

function Cells({ one, name }: { readonly one: PastAnswer; readonly name: string }) {
  return (
    <>
      <Td className="text-ink-3 max-phone:hidden">
        <When at={one.at} />
      </Td>
      <Td>
        <AnswerBadge kind={one.kind} />
      </Td>
      <Td className="max-tablet:hidden">
        <bdi>{name}</bdi>
      </Td>
      <Td className="max-w-60 truncate">
        <span className="inline-flex max-w-full items-center gap-1.75">
          <PathIcon path={one.path} />
          <Link
            to="/simulator"
            search={one.search}
            resetScroll
            className="truncate text-ink hover:text-accent"
          >
            <bdi>{one.vendor}</bdi>
          </Link>
        </span>
      </Td>
      <Td className="text-ink-2 max-laptop:hidden">{one.category}</Td>
      <Td align="right">
        <Amount value={one.amount} currency={one.currency} struck={one.kind === 'rejected'} />
      </Td>
      <Td className="text-ink-2 max-laptop:hidden">{whyOf(one)}</Td>
    </>
  )
}

function whyOf({ kind, code, search }: PastAnswer): string {
  const why = kind === 'rejected' || kind === 'asked' ? [codeWord(code)] : []
  return [...why, ...(search.txn ? ['from the record'] : [])].join(', ')
}

const SEALS: Readonly<Partial<Record<PastAnswer['kind'], { icon: LucideIcon; tone: Tone }>>> = {
  asked: { icon: UserRound, tone: 'ask' },
  rejected: { icon: X, tone: 'no' },
  held: { icon: Anchor, tone: 'held' },
}

function AnswerBadge({ kind }: { readonly kind: PastAnswer['kind'] }) {
  const { icon: Icon, tone } = SEALS[kind] ?? { icon: Check, tone: 'ok' }
  return (
    <Badge tone={tone} icon={<Icon size={13} strokeWidth={1.75} />}>
      {verdictWord(kind)}
    </Badge>
  )
}
