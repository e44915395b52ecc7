import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../../../storage/engine/database.ts'
import type { AcpCheckout, CheckoutKey } from '../checkout/checkout.ts'
import { type External, externalOf } from '../checkout/shown.ts'

const COLUMNS = `
  organization_id as "organizationId", id, mode, state, step, agent_id as "agentId",
  mandate_id as "mandateId", api_key_id as "askedById",
  asked_by_kind as "askedByKind", vendor_id as "vendorId", vendor,
  session_id as "sessionId", version, merchant_id as "merchantId", handler_id as "handlerId", psp,
  instrument_id as "instrumentId", currency, max_minor as "maxMinor",
  token_ends_at as "tokenEndsAt", fingerprint, totals, line_items as "lineItems", sealed,
  token_digest as "tokenDigest", completions, is_denied as "isDenied",
  is_doubtful as "isDoubtful", heard, order_shown as "order", failure, authentication,
  resumed_key as "resumedKey", resumed_fingerprint as "resumedFingerprint", refunds, refunded,
  waits_until as "waitsUntil", checks, next_check_at as "nextCheckAt", created_at as "createdAt"`

/** A row as the driver returns it. */
interface Row extends Omit<AcpCheckout, 'step' | 'maxMinor' | 'resumed' | 'askedBy'> {
  readonly step: bigint
  readonly maxMinor: bigint
  readonly askedById: string
  readonly askedByKind: AcpCheckout['askedBy']['kind']
  readonly resumedKey: string | null
  readonly resumedFingerprint: Buffer | null
}

/**
 * Stores a checkout in the transaction of its decision. Also writes it into the transaction's
 * `external`, so that readers of the transaction need no other table.
 */
export function storeCheckout(checkout: AcpCheckout): Statement {
  return {
    name: 'store-acp-checkout',
    text: `
      with noted as (
        update transactions set external = $28::jsonb where organization_id = $1 and id = $2
      )
      insert into acp_checkouts (
        organization_id, id, mode, state, step, agent_id, mandate_id, api_key_id, vendor_id, vendor,
        session_id, version, merchant_id, handler_id, psp, instrument_id, currency, max_minor,
        token_ends_at, fingerprint, totals, line_items, sealed, completions, is_denied, refunds,
        refunded, checks, next_check_at, created_at, asked_by_kind)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
              $20, $21, $22, $23, $24, $25, '{}', 0, 0, $26, $27, $29)`,
    values: [
      checkout.organizationId,
      checkout.id,
      checkout.mode,
      checkout.state,
      checkout.step,
      checkout.agentId,
      checkout.mandateId,
      checkout.askedBy.id,
      checkout.vendorId,
      checkout.vendor,
      checkout.sessionId,
      checkout.version,
      checkout.merchantId,
      checkout.handlerId,
      checkout.psp,
      checkout.instrumentId,
      checkout.currency,
      checkout.maxMinor,
      toIso(checkout.tokenEndsAt),
      checkout.fingerprint,
      JSON.stringify(checkout.totals),
      JSON.stringify(checkout.lineItems),
      checkout.sealed,
      checkout.completions,
      checkout.isDenied,
      toTime(checkout.nextCheckAt),
      toIso(checkout.createdAt),
      JSON.stringify(externalOf(checkout)),
      checkout.askedBy.kind,
    ],
  }
}

/** Writes the `external` field of a transaction, for a rejected spend or an end by hand. */
export function noteExternal(organizationId: string, id: string, external: External): Statement {
  return {
    name: 'note-acp-external',
    text: 'update transactions set external = $3::jsonb where organization_id = $1 and id = $2',
    values: [organizationId, id, JSON.stringify(external)],
  }
}

/** Reads the state of a checkout from the `external` field of its transaction. */
export async function findExternal(
  db: Queryable,
  { organizationId, id }: CheckoutKey,
): Promise<External | undefined> {
  const [row] = await db.query<{ external: External | null }>({
    name: 'find-acp-external',
    text: 'select external from transactions where organization_id = $1 and id = $2',
    values: [organizationId, id],
  })
  return row?.external ?? undefined
}

export async function findCheckout(
  db: Queryable,
  { organizationId, id }: CheckoutKey,
): Promise<AcpCheckout | undefined> {
  const [row] = await db.query<Row>({
    name: 'find-acp-checkout',
    text: `select ${COLUMNS} from acp_checkouts where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row && toCheckout(row)
}

/** Locks a checkout. Every transaction takes this lock before all others. */
export async function lockCheckout(
  tx: Tx,
  { organizationId, id }: CheckoutKey,
): Promise<AcpCheckout | undefined> {
  const [row] = await tx.query<Row>({
    name: 'lock-acp-checkout',
    text: `select ${COLUMNS} from acp_checkouts where organization_id = $1 and id = $2 for update`,
    values: [organizationId, id],
  })
  return row && toCheckout(row)
}

/** Locks the checkout that uses a session. */
export async function lockCheckoutOf(
  tx: Tx,
  organizationId: string,
  { vendorId, sessionId }: Pick<AcpCheckout, 'vendorId' | 'sessionId'>,
): Promise<AcpCheckout | undefined> {
  const [row] = await tx.query<Row>({
    name: 'lock-acp-checkout-of-session',
    text: `
      select ${COLUMNS} from acp_checkouts
      where organization_id = $1 and vendor_id = $2 and session_id = $3 and state <> 'released'
      for update`,
    values: [organizationId, vendorId, sessionId],
  })
  return row && toCheckout(row)
}

/** Finds the checkout that uses a session, and its agent. */
export async function findSessionUse(
  db: Queryable,
  organizationId: string,
  { vendorId, sessionId }: Pick<AcpCheckout, 'vendorId' | 'sessionId'>,
): Promise<Pick<AcpCheckout, 'id' | 'agentId'> | undefined> {
  const [use] = await db.query<Pick<AcpCheckout, 'id' | 'agentId'>>({
    name: 'find-acp-session',
    text: `select id, agent_id as "agentId" from acp_checkouts
           where organization_id = $1 and vendor_id = $2 and session_id = $3
             and state <> 'released'`,
    values: [organizationId, vendorId, sessionId],
  })
  return use
}

/** Writes all fields of a checkout that can change. The caller holds its lock. */
export function saveCheckout(checkout: AcpCheckout): Statement {
  const { order, failure, authentication, resumed, refunds } = checkout
  return {
    name: 'save-acp-checkout',
    text: `
      with noted as (
        update transactions set external = $17::jsonb where organization_id = $1 and id = $2
      )
      update acp_checkouts
      set state = $3, step = $4, sealed = $5, completions = $6, is_denied = $7, order_shown = $8,
          failure = $9, authentication = $10, resumed_key = $11, resumed_fingerprint = $12,
          refunds = $13, refunded = $14, waits_until = $15, next_check_at = $16, api_key_id = $18,
          asked_by_kind = $19, token_digest = $20, is_doubtful = $21, heard = $22
      where organization_id = $1 and id = $2`,
    values: [
      checkout.organizationId,
      checkout.id,
      checkout.state,
      checkout.step,
      checkout.sealed,
      checkout.completions,
      checkout.isDenied,
      toJson(order),
      toJson(failure),
      toJson(authentication),
      resumed?.key ?? null,
      resumed?.fingerprint ?? null,
      JSON.stringify(refunds),
      checkout.refunded,
      toTime(checkout.waitsUntil),
      toTime(checkout.nextCheckAt),
      JSON.stringify(externalOf(checkout)),
      checkout.askedBy.id,
      checkout.askedBy.kind,
      checkout.tokenDigest,
      checkout.isDoubtful,
      JSON.stringify(checkout.heard),
    ],
  }
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

function toTime(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant)
}

export function toCheckout(row: Row): AcpCheckout {
  const { resumedKey, resumedFingerprint, askedById, askedByKind, step, maxMinor, ...rest } = row
  const resumed =
    resumedKey !== null && resumedFingerprint !== null
      ? { key: resumedKey, fingerprint: resumedFingerprint }
      : null
  const askedBy = { kind: askedByKind, id: askedById }
  return { ...rest, askedBy, step: Number(step), maxMinor: Number(maxMinor), resumed }
}

export { COLUMNS as CHECKOUT_COLUMNS, type Row as CheckoutRow }
