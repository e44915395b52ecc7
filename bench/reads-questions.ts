import { toPublicId } from '../packages/server/src/core/id.ts'
import type { Samples } from './reads-history.ts'

/** One list or filter of the API, as the benchmark asks for it. */
export interface Question {
  readonly path: string
  /** The aim is 50 ms for what an index has, and a bounded number of rows for the rest. */
  readonly isIndexed: boolean
  /** Ask with the key that is bound to three agents. */
  readonly isBound?: boolean
  /** Ask for the page after this many pages. */
  readonly pages?: number
}

const DAY_MS = 86_400_000

const indexed = (...paths: string[]) => paths.map((path) => ({ path, isIndexed: true }))
const searched = (...paths: string[]) => paths.map((path) => ({ path, isIndexed: false }))
const deep = (path: string, pages: number) => ({ path, isIndexed: true, pages })
const turned = (path: string) => [...indexed(`${path}?offset=1`), deep(`${path}?limit=1`, 1)]
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const day = `from=${ago(200)}&to=${ago(199)}`

export function questionsFor(samples: Samples): Question[] {
  return [
    ...ofTransactions(samples),
    ...ofEvents(samples),
    ...ofOthers(samples),
    ...ofRegistries(samples),
  ]
}

function ofTransactions(samples: Samples): Question[] {
  const { busyAgent, quietAgent } = samples
  const [first, last] = [samples.firstMandate, samples.lastMandate].map((id) =>
    toPublicId('mnd', id),
  )
  return [
    ...indexed('/transactions', '/transactions?limit=200', '/transactions?view=summary'),
    ...indexed('/transactions?offset=10000'),
    deep('/transactions?view=summary&limit=200', 100),
    ...indexed(`/transactions?agentId=${busyAgent}`, `/transactions?agentId=${quietAgent}`),
    ...indexed(`/transactions?agentId=${busyAgent},${quietAgent}`),
    deep(`/transactions?agentId=${busyAgent}&view=summary&limit=200`, 100),
    { path: '/transactions', isIndexed: true, isBound: true },
    ...indexed(`/transactions?mandateId=${first}`, `/transactions?mandateId=${last}`),
    ...indexed(`/transactions?mandateId=${first},${last}`),
    ...indexed(
      `/transactions?${day}`,
      `/transactions?from=${ago(300)}`,
      `/transactions?to=${ago(300)}`,
    ),
    ...indexed(`/transactions?${day}&agentId=${busyAgent}`),
    ...indexed('/transactions?status=held'),
    ...searched('/transactions?decision=rejected', '/transactions?status=refunded'),
    ...searched('/transactions?status=voided', '/transactions?path=acp', '/transactions?path=card'),
    ...searched('/transactions?vendor=v0.example', '/transactions?vendor=v1999.example'),
    ...searched('/transactions?vendor=rare.example', '/transactions?vendor=absent.example'),
    ...searched(`/transactions?vendor=absent.example&agentId=${busyAgent}`),
    ...searched('/transactions?category=c3', '/transactions?category=rare'),
    ...searched('/transactions?reference=order-17', '/transactions?code=new_vendor'),
    ...searched(
      '/transactions?flagged=true',
      '/transactions?minAmount=800',
      '/transactions?maxAmount=0.0001',
    ),
    ...searched('/transactions?rule=rare', '/transactions?q=v17', '/transactions?q=absent'),
    ...searched(`/transactions?approvalId=${toPublicId('apr', samples.approval)}`),
    ...searched(`/transactions?cardId=${samples.card}`),
    ...searched(
      `/transactions?decision=rejected&vendor=v1999.example&minAmount=0.002&flagged=false`,
    ),
  ]
}

function ofEvents(samples: Samples): Question[] {
  return [
    ...indexed(
      '/events',
      '/events?limit=200',
      `/events?cursor=${toPublicId('evt', samples.oldEvent)}`,
    ),
    ...searched('/events?event=mandate.budget.warning', '/events?event=usage.warning'),
    ...indexed('/webhooks/deliveries', '/webhooks/deliveries?offset=10000'),
    deep('/webhooks/deliveries?limit=200', 30),
    ...indexed(`/webhooks/deliveries?${day}`, '/webhooks/deliveries?status=failed'),
    ...indexed(`/webhooks/deliveries?endpointId=${toPublicId('whe', samples.endpoint)}`),
    ...indexed(`/webhooks/deliveries?eventId=${toPublicId('evt', samples.oldEvent)}`),
    ...indexed(`/webhooks/deliveries?transactionId=${toPublicId('txn', samples.transaction)}`),
    ...indexed('/webhooks/deliveries?test=true'),
    ...searched('/webhooks/deliveries?test=false', '/webhooks/deliveries?status=pending'),
    ...searched(
      '/webhooks/deliveries?status=canceled',
      '/webhooks/deliveries?event=mandate.budget.exhausted',
    ),
  ]
}

function ofOthers(samples: Samples): Question[] {
  const { busyAgent, quietAgent } = samples
  const mandate = toPublicId('mnd', samples.lastMandate)
  return [
    ...indexed('/approvals', '/approvals?offset=10000', `/approvals?agentId=${busyAgent}`),
    ...indexed('/approvals?sort=expiresAt', `/approvals?${day}`, '/approvals?limit=200'),
    deep('/approvals?limit=200', 50),
    ...searched(
      '/approvals?status=pending',
      '/approvals?status=expired',
      '/approvals?vendor=rare.example',
      '/approvals?sort=expiresAt&vendor=absent.example',
    ),
    ...indexed('/audit-log', '/audit-log?limit=200', '/audit-log?cursor=1000000'),
    ...indexed(`/audit-log?subject=${toPublicId('txn', samples.transaction)}`),
    ...indexed(`/audit-log?from=${ago(1)}`, `/audit-log?to=${ago(300)}`, `/audit-log?${day}`),
    ...searched('/audit-log?kind=change.mandate.created', `/audit-log?actor=${quietAgent}`),
    ...indexed('/agents', '/agents?include=mandate', '/agents?externalId=crew/500'),
    ...searched(
      '/agents?q=absent',
      '/agents?tag=rare',
      '/agents?status=paused',
      '/agents?sort=percentUsed',
    ),
    ...turned('/agents'),
    ...indexed(
      '/mandates',
      `/mandates?agentId=${busyAgent}`,
      `/mandates?parentMandateId=${mandate}`,
    ),
    ...indexed(
      `/mandates/${mandate}/versions`,
      `/mandates/${mandate}/versions?limit=200&offset=10000`,
    ),
    ...turned('/mandates'),
    ...searched('/mandates?q=absent', '/mandates?status=draft', '/mandates?sort=percentUsed'),
    ...searched(`/mandates?draftOf=${mandate}`, '/mandates?archived=true'),
  ]
}

/** Lists of things that an organization has fewer of. */
function ofRegistries({ busyAgent, connection }: Samples): Question[] {
  const cards = `/cards?connectionId=${toPublicId('conn', connection)}`
  return [
    ...indexed('/vendors', '/vendors?host=v17.example'),
    ...turned('/vendors'),
    ...searched('/vendors?category=absent'),
    ...indexed('/cards', `/cards?agentId=${busyAgent}`, cards, '/cards?externalId=card-77'),
    ...indexed(`${cards}&externalId=absent`, '/cards?externalId=absent'),
    ...turned('/cards'),
    ...searched('/cards?status=paused'),
    ...indexed('/card-connections', '/card-connections?provider=lithic&status=disabled'),
    ...turned('/card-connections'),
    ...indexed('/wallets'),
    ...turned('/wallets'),
    ...indexed('/api-keys'),
    ...turned('/api-keys'),
    ...searched(`/api-keys?agentId=${busyAgent}`, '/api-keys?status=revoked'),
  ]
}
