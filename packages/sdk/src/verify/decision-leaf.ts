import { commitmentBytes, fromHex, leafBytes, parseLeaf, toHex } from '@purser/audit'
import { sha256 } from './web-crypto.ts'

/**
 * A decision as the gateway answers it: a `Transaction`, or an `Evaluation` with the fields that
 * only the request has. Absent fields count as null.
 */
export interface DecisionLike {
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly decision: string
  readonly amount: number
  readonly vendor: string
  readonly category: string | null
  /** The currency of the mandate, if the request named none. */
  readonly currency?: string | null | undefined
  readonly reference?: string | null | undefined
  readonly reason?: string | null | undefined
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
  readonly evaluationDetails: DetailsLike | null
}

export interface DetailsLike {
  readonly code: string
  readonly mandateVersion: number | null
  readonly policyHash: string | null
  readonly evaluatedAt: string
  readonly path: string
  readonly failed: readonly string[]
  readonly receipt?:
    | {
        readonly log: string
        readonly leaf: string
        readonly salt: string | null
      }
    | null
    | undefined
}

const SALT = /^[0-9a-f]{32}$/

/**
 * Returns the hash of the decision's leaf, with this status. `docs/guide-audit.md` describes the
 * payload.
 */
export async function hashOfDecision(
  decision: DecisionLike,
  details: DetailsLike,
  salt: string,
  status: string,
): Promise<string | undefined> {
  const { transactionId, agentId, mandateId, vendor, category, currency } = decision
  const { reference = null, reason = null, metadata = null } = decision
  const { code, mandateVersion, path, policyHash, failed, evaluatedAt: at } = details
  const amountMicros = toMicros(decision.amount)
  if (amountMicros === undefined || !SALT.test(salt)) return undefined
  const payload = {
    ...{ agentId, amountMicros, category, code, currency, decision: decision.decision },
    detailsHash: toHex(await sha256(textOf(details))),
    ...{ failed, mandateId, mandateVersion, metadata, path, policyHash },
    ...{ reason, reference, status, vendor },
  }
  const committed = commitmentBytes(payload, fromHex(salt))
  const leaf = parseLeaf({
    version: 1,
    kind: `transaction.${decision.decision}`,
    subject: transactionId,
    at,
    actorId: agentId,
    commitment: committed && toHex(await sha256(committed)),
  })
  return leaf && toHex(await sha256(leafBytes(leaf)))
}

/** The text of the details as the gateway wrote it, with a null receipt. */
function textOf(details: DetailsLike): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ ...details, receipt: null }))
}

/** Returns undefined for an amount with more than six decimals: the gateway has none. */
function toMicros(amount: number): string | undefined {
  if (!Number.isFinite(amount)) return undefined
  const text = amount.toFixed(6)
  return Number(text) === amount ? String(BigInt(text.replace('.', ''))) : undefined
}
