import { refusedParameter } from '../../base/errors.ts'
import type { Dimension } from '../../core/analytics/dimensions.ts'
import { boundOf, type ExposedMandate, lineBounds } from '../../core/analytics/exposure.ts'
import { toPublicId } from '../../core/id.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import { listExposedMandates } from '../../storage/mandates.ts'
import { toRow, type UnnamedRow } from './shape.ts'

const MANDATES_MAX = 2_000
const IGNORED_MAX = 100

interface ExposureRequest {
  readonly organizationId: string
  readonly principal: Pick<Principal, 'agentIds'>
  readonly groupBy: readonly Dimension[]
  readonly top: number
  readonly now: Instant
  readonly until: Instant
}

interface Exposed {
  readonly currency: string
  readonly first: string
  readonly second: string
  readonly amount: Micros
}

/**
 * The highest amount that can be spent until a given time, by agent or mandate. The total counts only
 * mandates without a parent, because child mandates draw on their parents. An agent-bound key does not
 * see the limits of its agents' parent mandates.
 */
export async function readExposure(db: Queryable, request: ExposureRequest) {
  const { organizationId, principal, groupBy, now, until } = request
  const other = groupBy.find((name) => name !== 'agent' && name !== 'mandate')
  if (other) {
    const known = 'which is grouped by agent and mandate'
    throw refusedParameter('groupBy', `must not be ${other} with the metric exposure, ${known}`)
  }
  const { agentIds } = principal
  const mandates = await listExposedMandates(db, organizationId, agentIds, MANDATES_MAX + 1)
  if (mandates.length > MANDATES_MAX) {
    throw refusedParameter(
      'metric',
      `cannot be exposure, because there are more than ${MANDATES_MAX} active mandates`,
    )
  }
  const bounds = new Map(mandates.map((mandate) => [mandate.id, boundOf(mandate, now, until)]))
  const own = ({ id }: ExposedMandate): Micros => bounds.get(id)?.amount ?? 0n
  const lines = lineBounds(mandates, own)
  const ignored = mandates.flatMap(({ id }) =>
    (bounds.get(id)?.ignored ?? []).map((rule) => ({
      mandateId: toPublicId('mnd', id),
      ruleId: rule.id,
      type: rule.type,
    })),
  )
  const all = groupBy.length === 0 ? rootsOf(mandates) : mandates
  const exposed = all.map((mandate) => toExposed(mandate, groupBy, lines.get(mandate.id) ?? 0n))
  return { data: toRows(exposed, groupBy, request.top), ignored: ignored.slice(0, IGNORED_MAX) }
}

/** The mandates that do not draw on another mandate of the list. */
function rootsOf(mandates: readonly ExposedMandate[]): ExposedMandate[] {
  const ids = new Set(mandates.map(({ id }) => id))
  return mandates.filter(({ parentMandateId }) => !ids.has(parentMandateId ?? ''))
}

function toExposed(
  { id, agentId, currency }: ExposedMandate,
  groupBy: readonly Dimension[],
  amount: Micros,
): Exposed {
  const keys = { agent: agentId, mandate: id }
  const [first = '', second = ''] = groupBy.flatMap((name) =>
    name === 'agent' || name === 'mandate' ? [keys[name]] : [],
  )
  return { currency, first, second, amount }
}

/** The largest rows of each currency first, and all others added up in one row. */
function toRows(
  exposed: readonly Exposed[],
  groupBy: readonly Dimension[],
  top: number,
): UnnamedRow[] {
  const groups = sumBy(exposed, ({ currency, first, second }) => [currency, first, second].join())
  const sorted = groups.sort(
    (a, b) => a.currency.localeCompare(b.currency) || (a.amount < b.amount ? 1 : -1),
  )
  const places = new Map<string, number>()
  const rows = sorted.map((group) => {
    const place = (places.get(group.currency) ?? 0) + 1
    places.set(group.currency, place)
    return place <= top ? { ...group, isRest: false } : { ...group, ...REST }
  })
  return sumBy(rows, ({ currency, first, second }) => [currency, first, second].join()).map(
    (row) => ({ ...toRow({ ...row, start: null }, groupBy), amount: toUnits(row.amount) }),
  )
}

const REST = { first: '', second: '', isRest: true }

function sumBy<Row extends Exposed>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const known = sums.get(nameOf(row))
    sums.set(nameOf(row), known ? { ...known, amount: known.amount + row.amount } : row)
  }
  return [...sums.values()]
}
