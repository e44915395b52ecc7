import type { DeliveryStatus, EventKind, ListDeliveriesQuery } from '@purser/sdk'
import { ALL_KINDS } from './event-groups.ts'
import { fromOf } from './ranges.ts'

/** The filters of the log, as the address holds them. */
export interface LogSearch {
  readonly status?: string
  readonly event?: string
  readonly from?: string
  readonly to?: string
  readonly transaction?: string
  readonly endpoint?: string
}

const ENDPOINT_ID = /^whe_[0-9a-f]{32}$/
const STATUSES: readonly string[] = ['pending', 'succeeded', 'failed', 'canceled']

/** Leaves out values that the gateway would refuse, such as a status of an old link. */
export function toLogQuery(search: LogSearch, now: number): ListDeliveriesQuery {
  const { status, event, to, transaction, endpoint } = search
  const from = fromOf(search.from, now)
  return {
    ...(status && STATUSES.includes(status) ? { status: status as DeliveryStatus } : {}),
    ...(event && ALL_KINDS.includes(event as EventKind) ? { event: event as EventKind } : {}),
    ...(from ? { from } : {}),
    ...(to && fromOf(to, now) === to ? { to } : {}),
    ...(transaction ? { transactionId: transaction } : {}),
    ...(endpoint && ENDPOINT_ID.test(endpoint) ? { endpointId: endpoint } : {}),
  }
}
