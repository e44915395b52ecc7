import { hash } from 'node:crypto'
import { SALT_BYTES, toCanonicalJson } from '@purser/audit'
import { toPublicId } from '../id.ts'
import type { Micros } from '../money.ts'

/** The data stored with a row until its leaf is in the audit log, both in hexadecimal digits. */
export interface Commitment {
  readonly salt: string
  readonly commitment: string
}

/** The same for a decision, with the hash of its leaf. */
export interface CommittedDecision extends Commitment {
  readonly leaf: string
}

/**
 * The facts that the leaf of a decision commits to: the decision itself, and nothing that changes
 * later.
 */
export interface DecisionFacts {
  readonly agentId: string
  readonly mandateId: string | null
  readonly mandateVersion: number | null
  readonly path: string
  readonly decision: string
  readonly status: string
  readonly code: string
  readonly amount: Micros
  readonly currency: string | null
  readonly vendor: string
  readonly category: string | null
  readonly reference: string | null
  readonly reason: string | null
  /** A JSON text. */
  readonly metadata: string | null
  readonly policyHash: string | null
  /** The ids of the rules that rejected it. */
  readonly failed: readonly string[]
  /** A JSON text that ends with a null receipt. */
  readonly details: string
}

export interface Receipt {
  readonly log: string
  readonly leaf: string
  readonly salt: string
}

/** The end of details without a receipt. */
const NO_RECEIPT = '"receipt":null}'
const RECEIPT = ',"receipt":'

/**
 * Writes the canonical text of a decision's payload directly: a decision waits for it, and sorting the
 * names of an object would cost more than the hash. It contains the hash of the details' text, so no
 * change in them goes unnoticed; escaping that text would cost as much as all the rest.
 */
export function decisionText(facts: DecisionFacts): string {
  const { mandateId } = facts
  return (
    `{"agentId":"${facts.agentId}","amountMicros":"${facts.amount}",` +
    `"category":${textOf(facts.category)},"code":"${facts.code}",` +
    `"currency":${textOf(facts.currency)},"decision":"${facts.decision}",` +
    `"detailsHash":"${hash('sha256', facts.details, 'hex')}",` +
    `"failed":${facts.failed.length === 0 ? '[]' : JSON.stringify(facts.failed)},` +
    `"mandateId":${mandateId === null ? null : `"${toPublicId('mnd', mandateId)}"`},` +
    `"mandateVersion":${facts.mandateVersion},"metadata":${metadataOf(facts.metadata)},` +
    `"path":"${facts.path}","policyHash":${textOf(facts.policyHash)},"reason":${textOf(facts.reason)},` +
    `"reference":${textOf(facts.reference)},"status":"${facts.status}",` +
    `"vendor":${textOf(facts.vendor)}}`
  )
}

/** SHA-256 of the salt and the text; the same as `commitTo`, for a text that is already canonical. */
export function commitToText(text: string, salt: string): string {
  const space = scratchFor(SALT_BYTES + text.length * UTF8_BYTES_MAX)
  space.write(salt, 0, 'hex')
  const end = SALT_BYTES + space.write(text, SALT_BYTES, 'utf8')
  return hash('sha256', space.subarray(0, end), 'hex')
}

export interface DecisionLeaf {
  readonly transactionId: string
  readonly agentId: string
  readonly decision: string
  /** The instant as the API writes it. */
  readonly at: string
  readonly commitment: string
}

/** The hash of a decision's leaf: the same as `hashOfLeaf`, without an object to sort. */
export function hashOfDecision(leaf: DecisionLeaf): string {
  return hash(
    'sha256',
    `\0{"actorId":"${leaf.agentId}","at":"${leaf.at}","commitment":"${leaf.commitment}",` +
      `"kind":"transaction.${leaf.decision}","subject":"${toPublicId('txn', leaf.transactionId)}",` +
      '"version":1}',
    'hex',
  )
}

/** The name of an organization's audit log. It is derived from the id, and so never changes. */
export function logOf(organizationId: string): string {
  return `purser/audit/${toPublicId('org', organizationId)}`
}

/** The details with their receipt, as they are answered and stored. */
export function withReceipt(details: string, { log, leaf, salt }: Receipt): string {
  const before = details.slice(0, -NO_RECEIPT.length)
  return `${before}"receipt":{"log":"${log}","leaf":"${leaf}","salt":"${salt}"}}`
}

/**
 * The details as the leaf commits to them. The receipt is the last field, and contains no field of that
 * name.
 */
export function withoutReceipt(details: string): string {
  return `${details.slice(0, details.lastIndexOf(RECEIPT) + 1)}${NO_RECEIPT}`
}

function textOf(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value)
}

/** Nearly all decisions have no metadata. */
function metadataOf(metadata: string | null): string {
  return metadata === null ? 'null' : (toCanonicalJson(JSON.parse(metadata)) ?? 'null')
}

const UTF8_BYTES_MAX = 3
const SCRATCH_BYTES = 65_536
/** Reused for each hash: allocating would cost as much as hashing. */
const scratch = Buffer.alloc(SCRATCH_BYTES)

function scratchFor(bytes: number): Buffer {
  return bytes <= SCRATCH_BYTES ? scratch : Buffer.alloc(bytes)
}
