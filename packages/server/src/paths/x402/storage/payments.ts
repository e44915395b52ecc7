import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../../../storage/engine/database.ts'
import { plainArray, textArray, texts } from '../../../storage/engine/wire-array.ts'
import type { PaymentProof, X402Payment } from '../payment.ts'

const COLUMNS = `
  organization_id as "organizationId", id, wallet_id as "walletId", mode, x402_version as version,
  url, network, asset, assurance, payer, payee, value, nonce, valid_after as "validAfter",
  valid_before as "validBefore", offer, resource, extensions, from_block as "fromBlock", handed_out_at as "handedOutAt",
  calling_until as "callingUntil", state, proof,
  chain_transaction as "chainTransaction", receipt, coalesce(anomalies, '[]') as anomalies, checks, created_at as "createdAt"`

/** A row as the driver returns it. */
interface Row extends Omit<X402Payment, 'authorization'> {
  readonly payer: string
  readonly payee: string
  readonly value: string
  readonly nonce: string
  readonly validAfter: bigint
  readonly validBefore: bigint
}

/**
 * Stores a payment in the transaction of its decision. Also writes it into the transaction's
 * `external`, so that readers of the transaction need no other table.
 */
export function storePayment(payment: X402Payment, checkAt: Instant): Statement {
  const { authorization, callingUntil } = payment
  return {
    name: 'store-x402-payment',
    text: `
      with noted as (
        update transactions set external = $22::jsonb where organization_id = $1 and id = $2
      )
      insert into x402_payments (
        organization_id, id, wallet_id, mode, x402_version, url, network, asset, assurance, payer, payee,
        value, nonce, valid_after, valid_before, offer, resource, from_block, state, check_at,
        calling_until, created_at, extensions)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, 'held',
              $19, $20, $21, $23)`,
    values: [
      payment.organizationId,
      payment.id,
      payment.walletId,
      payment.mode,
      payment.version,
      payment.url,
      payment.network,
      payment.asset,
      payment.assurance,
      authorization.from,
      authorization.to,
      authorization.value,
      authorization.nonce,
      authorization.validAfter,
      authorization.validBefore,
      JSON.stringify(payment.offer),
      toJson(payment.resource),
      payment.fromBlock,
      toIso(checkAt),
      callingUntil === null ? null : toIso(callingUntil),
      toIso(payment.createdAt),
      JSON.stringify(externalOf(payment)),
      toJson(payment.extensions),
    ],
  }
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

export async function findPayment(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<X402Payment | undefined> {
  const [row] = await db.query<Row>({
    name: 'find-x402-payment',
    text: `select ${COLUMNS} from x402_payments where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row && toPayment(row)
}

/**
 * Locks payments. Every caller takes these locks before those of their mandates and transactions.
 */
export async function lockPayments(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<X402Payment[]> {
  const rows = await tx.query<Row>({
    name: 'lock-x402-payments',
    text: `select ${COLUMNS} from x402_payments
           where organization_id = $1 and id = any($2::uuid[]) order by id for update`,
    values: [organizationId, ids],
  })
  return rows.map(toPayment)
}

export interface PaymentEnd {
  readonly state: 'settled' | 'released'
  readonly proof: PaymentProof
  readonly chainTransaction: string | null
  /** The organization's reason, if its statement is the proof. */
  readonly note?: string
}

/** Ends payments of one organization. The caller holds their locks. */
export function endPayments(
  organizationId: string,
  ended: readonly (X402Payment & PaymentEnd)[],
  at: Instant,
): Statement {
  return {
    name: 'end-x402-payments',
    text: `
      with ended as (
        select * from unnest($2::uuid[], ${texts('$3')}, ${texts('$4')}, ${texts('$5')}, ${texts('$6')},
                             ${texts('$8')})
          as e (id, state, proof, chain_transaction, external, anomalies)
      ), closed as (
        update x402_payments p
        set state = e.state, proof = e.proof, chain_transaction = e.chain_transaction,
            ended_at = $7::timestamptz, anomalies = e.anomalies::jsonb
        from ended e where p.organization_id = $1 and p.id = e.id
      )
      update transactions t set external = e.external::jsonb
      from ended e where t.organization_id = $1 and t.id = e.id and t.id = any($2::uuid[])`,
    values: [
      organizationId,
      plainArray(ended.map(({ id }) => id)),
      textArray(ended.map(({ state }) => state)),
      textArray(ended.map(({ proof }) => proof)),
      textArray(ended.map(({ chainTransaction }) => chainTransaction)),
      textArray(
        ended.map((payment) => JSON.stringify({ ...externalOf(payment), ...noteOf(payment) })),
      ),
      toIso(at),
      textArray(ended.map(({ anomalies }) => toJson(anomalies.length > 0 ? anomalies : null))),
    ],
  }
}

/** Sums the amounts that open authorizations may still take out of the wallet. */
export async function sumOpenPayments(
  db: Queryable,
  organizationId: string,
  { walletId, network, asset }: Pick<X402Payment, 'walletId' | 'network' | 'asset'>,
): Promise<bigint> {
  const [row] = await db.query<{ sum: string }>({
    name: 'sum-open-x402-payments',
    text: `
      select coalesce(sum(value), 0)::text as sum from x402_payments
      where organization_id = $1 and wallet_id = $2 and network = $3 and asset = $4 and state = 'held'`,
    values: [organizationId, walletId, network, asset],
  })
  return BigInt(row?.sum ?? '0')
}

/** Lists open payments of a wallet, oldest first. */
export async function listOpenPayments(
  db: Queryable,
  organizationId: string,
  { walletId, network, asset }: Pick<X402Payment, 'walletId' | 'network' | 'asset'>,
  limit: number,
): Promise<X402Payment[]> {
  const rows = await db.query<Row>({
    text: `select ${COLUMNS} from x402_payments
           where organization_id = $1 and wallet_id = $2 and network = $3 and asset = $4
             and state = 'held' order by id limit $5`,
    values: [organizationId, walletId, network, asset, limit],
  })
  return rows.map(toPayment)
}

export function toPayment(row: Row): X402Payment {
  const { payer, payee, value, nonce, validAfter, validBefore, ...rest } = row
  return {
    ...rest,
    authorization: {
      from: payer,
      to: payee,
      value: BigInt(value),
      nonce,
      validAfter: Number(validAfter),
      validBefore: Number(validBefore),
    },
  }
}

function noteOf({ note }: PaymentEnd): object {
  return note === undefined ? {} : { note }
}

/** Builds the `external` field of the transaction. */
function externalOf(payment: X402Payment): object {
  const { authorization } = payment
  return {
    network: payment.network,
    asset: payment.asset,
    payer: authorization.from,
    payTo: authorization.to,
    value: String(authorization.value),
    nonce: authorization.nonce,
    validBefore: toIso(authorization.validBefore * 1_000),
    assurance: payment.assurance,
    url: payment.url,
    settlement: payment.proof,
    transaction: payment.chainTransaction,
    ...(payment.anomalies.length > 0 && { anomalies: payment.anomalies }),
  }
}

export { COLUMNS as PAYMENT_COLUMNS, type Row as PaymentRow }
