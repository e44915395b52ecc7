import type { Actor } from '../../../core/actor.ts'
import type { Fields, Operation } from '../../../core/change.ts'
import { toPublicId } from '../../../core/id.ts'
import { toUnits } from '../../../core/money.ts'
import { toIso } from '../../../core/time/instant.ts'
import { recordChange } from '../../../storage/changes.ts'
import type { FlowParts } from '../flow-parts.ts'
import { heldOf } from './booking.ts'
import { type AcpCheckout, hasLeft, isEnded } from './checkout.ts'
import type { Place } from './place.ts'
import { openSecrets } from './secrets.ts'

const GATEWAY: Actor = { kind: 'system', id: null, name: null }

/**
 * Records a change of a payment token for the audit log: its creation, hand-out or end, its amount,
 * and its vendor. Never contains the token itself.
 */
export function recordToken(
  parts: Pick<FlowParts, 'sealer'>,
  before: AcpCheckout,
  after: AcpCheckout,
  { tx, now: at }: Place,
): void {
  const had = openSecrets(parts, before).token !== null
  const has = had || openSecrets(parts, after).token !== null
  if (!has) return
  const wasIn = hasLeft(before) ? 'handed_out' : 'made'
  const tell = (operation: Operation, from: Fields | null, fields: Fields): void => {
    const change = { operation, subjectId: toPublicId('txn', after.id), at, before: from }
    recordChange(tx, after.organizationId, GATEWAY, { ...change, after: toldOf(after, fields) })
  }
  if (!had) tell('payment_token.created', null, { status: 'made' })
  if (!hasLeft(before) && hasLeft(after)) {
    const to = after.mode === 'delegated' ? 'agent' : 'merchant'
    tell('payment_token.handed_out', { status: 'made' }, { status: 'handed_out', to })
  }
  if (isEnded(after) && !isEnded(before)) {
    const status = after.state === 'settled' ? 'used' : 'unused'
    tell('payment_token.ended', { status: wasIn }, { status })
  }
}

function toldOf(checkout: AcpCheckout, fields: Fields): Fields {
  const { currency, vendor, merchantId, instrumentId, tokenEndsAt } = checkout
  const worth = { amount: toUnits(heldOf(checkout)), currency, endsAt: toIso(tokenEndsAt) }
  return { ...fields, ...worth, vendor, merchantId, instrumentId }
}
