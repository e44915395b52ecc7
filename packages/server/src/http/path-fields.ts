import type { TSchema } from 'typebox'
import type { DirectoryEntry } from '../core/directory-entry.ts'
import type { Queryable, Tx } from '../storage/engine/database.ts'

/** An address that the gateway will call, with the JSON pointer of the field that holds it. */
type Address = readonly [path: string, url: string | null | undefined]

/** A directory entry, as far as a field of it needs to know. */
interface FieldOwner<Entry> extends Pick<DirectoryEntry, 'id' | 'host'> {
  readonly acp: Entry | null
}

/**
 * The field `acp` of a vendor. The resource decides when it changes and who may change it; the
 * payment path knows its contents. Bodies come in as the schemas have validated them.
 */
export interface VendorField<Entry = object, Input = unknown> {
  readonly shown: TSchema
  readonly input: TSchema
  readonly change: TSchema
  /** Properties that may hold long numbers which are no card numbers, such as ids of merchants. */
  readonly withoutCards: readonly string[]
  addressesOf(input: Input | null | undefined): Address[]
  /** Stores the change; null removes the field. The caller holds the lock of the entry. */
  store(
    tx: Tx,
    organizationId: string,
    vendor: FieldOwner<Entry>,
    input: Input | null,
  ): Promise<{ readonly acp: Entry | null; readonly token?: string }>
  /** `token` is the secret of a new URL, which one answer shows. */
  show(acp: Entry | null, token?: string): unknown
  /** The shapes by the ids of their vendors. A list also shows values that are read for all at once. */
  showList(
    organizationId: string,
    vendors: readonly FieldOwner<Entry>[],
  ): Promise<ReadonlyMap<string, unknown>>
}

/** The field `acp` of an organization, divided between resource and path in the same way. */
export interface OrganizationField<Input = unknown> {
  readonly shown: TSchema
  readonly input: TSchema
  readonly withoutCards: readonly string[]
  addressesOf(input: Input | undefined): Address[]
  /** Replaces the stored value. The caller has locked the organization. */
  store(tx: Tx, organizationId: string, input: Input): Promise<void>
  show(db: Queryable, organizationId: string): Promise<unknown>
}

/** Fields of resources whose contents belong to a payment path. */
export interface PathFields {
  readonly vendor: VendorField
  readonly organization: OrganizationField
}
