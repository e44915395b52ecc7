// Written by `npm run generate` from openapi.json. Do not change it by hand.

/** The kind of an audit log entry. */
export type AuditKind =
  | 'log.begun'
  | 'transaction.approved'
  | 'transaction.rejected'
  | 'mandate.budget.warning'
  | 'mandate.budget.exhausted'
  | 'transaction.settled'
  | 'transaction.voided'
  | 'transaction.expired'
  | 'transaction.refunded'
  | 'approval.requested'
  | 'approval.decided'
  | 'usage.warning'
  | 'usage.exhausted'
  | 'card.flagged'
  | 'sign_in.succeeded'
  | 'sign_in.failed'
  | 'sign_in.locked'
  | 'sign_in.refused'
  | 'sign_in.reset'
  | 'transaction.adjusted'
  | 'change.agent.created'
  | 'change.agent.updated'
  | 'change.agent.deleted'
  | 'change.agent.tokens_revoked'
  | 'change.mandate.created'
  | 'change.mandate.updated'
  | 'change.mandate.activated'
  | 'change.mandate.revoked'
  | 'change.mandate.budget_changed'
  | 'change.mandate.deleted'
  | 'change.mandate.archived'
  | 'change.mandate.tokens_revoked'
  | 'change.mandate_token.revoked'
  | 'change.payment_token.created'
  | 'change.payment_token.handed_out'
  | 'change.payment_token.ended'
  | 'change.vendor.created'
  | 'change.vendor.updated'
  | 'change.api_key.created'
  | 'change.api_key.replaced'
  | 'change.api_key.revoked'
  | 'change.wallet.created'
  | 'change.card.created'
  | 'change.card.updated'
  | 'change.card_connection.created'
  | 'change.card_connection.updated'
  | 'change.organization.created'
  | 'change.organization.updated'
  | 'change.organization.plan_changed'
  | 'change.organization.webhook_secret_rotated'
  | 'change.organization.pruned'
  | 'change.transaction.settled'
  | 'change.transaction.voided'
  | 'change.transaction.refunded'
  | 'change.approval.decided'
  | 'change.member.joined'
  | 'change.member.updated'
  | 'change.member.removed'
  | 'change.member.reset_link_created'
  | 'change.member.password_reset'
  | 'change.member.passkey_added'
  | 'change.member.passkey_renamed'
  | 'change.member.passkey_removed'
  | 'change.member.recovery_codes_created'
  | 'change.invitation.created'
  | 'change.invitation.withdrawn'
  | 'change.sign_in.succeeded'
  | 'change.sign_in.failed'
  | 'change.sign_in.locked'
  | 'change.sign_in.refused'

export interface AuditEntry {
  /** The position of the leaf in the audit log, counted from 0. */
  readonly index: number
  /** The hash of the leaf, as in `receipt.leaf` of a decision. */
  readonly leaf: string
  /** The kind of entry: an event kind, `change.` followed by the kind of change, or `log.begun`. */
  readonly kind: AuditKind | (string & {})
  /** The id of the object that the entry is about. */
  readonly subject: string
  /** When it happened (ISO 8601, UTC). */
  readonly at: string
  /**
   * For a decision, the id of the agent. For a change, the key, member or operator that made it.
   * Null for all other entries.
   */
  readonly actorId: string | null
  /**
   * The current or last name of the agent, key or member that `actorId` names. Null if it has no
   * name.
   */
  readonly actorName: string | null
  /** SHA-256 of the salt and the payload. */
  readonly commitment: string
  /** The salt of the commitment. Null once the payload is removed. */
  readonly salt: string | null
  /** The data that the leaf commits to. Null once retention has removed it. */
  readonly payload: Readonly<Record<string, unknown>> | null
}

export interface AuditEntryList {
  /** The name of the audit log. */
  readonly log: string
  /** The number of signed leaves in the audit log. */
  readonly size: number
  /** The entries, newest first. */
  readonly data: readonly AuditEntry[]
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. */
  readonly nextCursor: number | null
}

/** Proves that the audit log contains the leaf. Null unless requested. */
export interface InclusionProof {
  /** The position of the leaf in the audit log, counted from 0. */
  readonly index: number
  /** The hash of the leaf, as in `receipt.leaf` of a decision. */
  readonly leaf: string
  /** The hashes of the proof, from the leaf up to the root, as defined in RFC 6962. */
  readonly hashes: readonly string[]
}

/** Proves that the audit log only grew since `from`. Null unless requested. */
export interface ConsistencyProof {
  /** The tree size from which the proof starts. */
  readonly from: number
  /** The root hash of the tree with the first `from` leaves. */
  readonly root: string
  /** The hashes of the proof, from the leaf up to the root, as defined in RFC 6962. */
  readonly hashes: readonly string[]
}

export interface AuditProof {
  /** The name of the audit log. */
  readonly log: string
  /**
   * The public keys of the audit log (C2SP verifier keys), oldest first. Get them once over a
   * channel that you trust, and store them.
   */
  readonly keys: readonly string[]
  /** The number of leaves that the checkpoint covers. */
  readonly size: number
  /** The checkpoint: the signed state of the audit log, as a C2SP signed note. */
  readonly checkpoint: string
  /** Proves that the audit log contains the leaf. Null unless requested. */
  readonly inclusion: InclusionProof | null
  /** Proves that the audit log only grew since `from`. Null unless requested. */
  readonly consistency: ConsistencyProof | null
}

/** The query of “Read the audit log, newest first, or export it for verification”. */
export interface ListAuditLogQuery {
  /**
   * Only entries of this kind. A value that ends in `.` or `.*` means all kinds that begin with it:
   * `change.` means every change. Several values, at most 20, are separated by commas.
   */
  readonly kind?: AuditKind | (string & {}) | string | undefined
  /** Only entries about the object with this id. */
  readonly subject?: string | undefined
  /** Only entries by the actor with this id. */
  readonly actor?: string | undefined
  /**
   * Only entries at or after this time. A date (`2026-11-01`) means its start in the organization's
   * time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only entries before this time. A date (`2026-11-01`) means its start in the organization's time
   * zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
  /**
   * The `nextCursor` of the previous page. For an export: the index of the first leaf to return.
   */
  readonly cursor?: number | undefined
  /** How many entries a page has. Default: 50. */
  readonly limit?: number | undefined
}

/** The query of “Get the audit log's checkpoint, with proofs”. */
export interface GetAuditProofQuery {
  /** Return an inclusion proof for the leaf with this hash. */
  readonly leaf?: string | undefined
  /** Return an inclusion proof for the leaf at this position, counted from 0. */
  readonly index?: number | undefined
  /** The tree size for the proofs. Default: `to`, or the latest signed size. */
  readonly size?: number | undefined
  /** Also return a consistency proof from this tree size. */
  readonly from?: number | undefined
  /**
   * The tree size up to which the consistency proof goes, the same as `size`. Default: `size`, or
   * the latest signed size.
   */
  readonly to?: number | undefined
}
