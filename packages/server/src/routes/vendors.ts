import { type Static, Type } from 'typebox'
import { BAD_CATEGORY, toCategory } from '../core/category.ts'
import type { DirectoryEntry } from '../core/directory-entry.ts'
import type { Payee as CorePayee } from '../core/payee.ts'
import { toVendor } from '../core/vendor.ts'
import { type FieldError, invalidFields, Problem } from '../errors.ts'
import type { App } from '../http/app.ts'
import type { Write } from '../http/idempotency.ts'
import {
  fromPublicId,
  Name,
  nullable,
  PagingFields,
  pageSchema,
  publicId,
  Timestamp,
  toPage,
  toPageRequest,
  toPublicId,
  toTimestamp,
} from '../http/schemas.ts'
import {
  insertDirectoryEntry,
  listDirectoryEntries,
  lockDirectoryEntry,
  updateDirectoryEntry,
} from '../storage/directory-entries.ts'
import type { Database } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'

const VendorId = publicId('ven', 'a vendor')
const Host = Type.String({
  format: 'vendor',
  maxLength: 2_048,
  description: 'Host name of the vendor; a URL is reduced to its host. One entry per host.',
  examples: ['api.example.com'],
})
const Category = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'What the vendor sells. Comes before what an agent says of an x402 payment.',
  examples: ['data'],
})
const Payee = Type.Object({
  network: Type.String({
    pattern: '^eip155:[1-9][0-9]{0,17}$',
    description: 'The chain, as CAIP-2 writes it.',
    examples: ['eip155:8453'],
  }),
  address: Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
  }),
})
const Payees = Type.Array(Payee, {
  maxItems: 20,
  description: 'Where there are any, x402 payments for this host go to these addresses only.',
})

const Vendor = Type.Object(
  {
    id: VendorId,
    host: Type.String({ examples: ['api.example.com'] }),
    name: nullable(Name),
    category: nullable(Category),
    x402Payees: Payees,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Vendor' },
)

const changeable = {
  name: Type.Optional(nullable(Name)),
  category: Type.Optional(nullable(Category)),
  x402Payees: Type.Optional(Payees),
}

const VendorInput = Type.Object(
  { host: Host, ...changeable },
  {
    additionalProperties: false,
    title: 'VendorInput',
    examples: [{ host: 'api.example.com', category: 'data' }],
  },
)

const VendorChange = Type.Object(changeable, {
  additionalProperties: false,
  minProperties: 1,
  title: 'VendorChange',
  examples: [{ category: 'data' }],
})

const Changes = Type.Object(changeable)

interface VendorParts {
  readonly db: Database
  readonly write: Write
  readonly now: () => number
}

export function vendorRoutes(app: App, { db, write, now }: VendorParts): void {
  app.route({
    method: 'POST',
    url: '/vendors',
    schema: {
      operationId: 'createVendor',
      summary: 'Add a vendor to the directory',
      tags: ['Vendors'],
      body: VendorInput,
      response: { 200: Vendor },
    },
    config: { scope: 'vendors:write', problems: ['vendor_host_taken'] },
    handler: (request, reply) =>
      write(request, reply, async (tx) => {
        const { organizationId, body } = request
        const at = now()
        const vendor: DirectoryEntry = {
          id: newId(at),
          host: toVendor(body.host) ?? body.host,
          name: null,
          category: null,
          payees: [],
          createdAt: at,
          updatedAt: at,
          ...toChanges(body),
        }
        await insertDirectoryEntry(tx, organizationId, vendor)
        return toVendorShape(vendor)
      }),
  })

  app.route({
    method: 'GET',
    url: '/vendors',
    schema: {
      operationId: 'listVendors',
      summary: 'List the directory, newest first',
      tags: ['Vendors'],
      querystring: Type.Object(
        { ...PagingFields, host: Type.Optional(Host), category: Type.Optional(Category) },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Vendor) },
    },
    config: { scope: 'vendors:read' },
    handler: async ({ organizationId, query }) => {
      const filter = {
        host: query.host === undefined ? undefined : toVendor(query.host),
        category: query.category?.toLowerCase(),
      }
      const page = await listDirectoryEntries(db, organizationId, filter, toPageRequest(query))
      return toPage(page, toVendorShape)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/vendors/:id',
    schema: {
      operationId: 'updateVendor',
      summary: 'Change a vendor of the directory',
      description: 'Lists are replaced, not added to. The host of an entry never changes.',
      tags: ['Vendors'],
      params: Type.Object({ id: VendorId }),
      body: VendorChange,
      response: { 200: Vendor },
    },
    config: { scope: 'vendors:write', problems: ['vendor_not_found'] },
    handler: (request, reply) =>
      write(request, reply, async (tx) => {
        const { organizationId, params, body } = request
        const current = await lockDirectoryEntry(tx, organizationId, fromPublicId('ven', params.id))
        if (!current) throw vendorNotFound(params.id)
        const vendor = { ...current, ...toChanges(body), updatedAt: now() }
        await updateDirectoryEntry(tx, organizationId, vendor)
        return toVendorShape(vendor)
      }),
  })
}

function vendorNotFound(id: string): Problem {
  return new Problem('vendor_not_found', `There is no vendor ${id} in this organization.`)
}

/**
 * The values are in normal form: what a payment is compared with must not depend on how somebody
 * typed it.
 */
function toChanges(
  body: Static<typeof Changes>,
): Partial<Pick<DirectoryEntry, 'name' | 'category' | 'payees'>> {
  const { name, category, x402Payees: payees } = body
  const normalCategory = typeof category === 'string' ? toCategory(category) : category
  const isCategoryBad = typeof category === 'string' && normalCategory === undefined
  const errors = [...(isCategoryBad ? [BAD_CATEGORY] : []), ...payeeErrors(payees ?? [])]
  if (errors.length > 0) throw invalidFields(errors)
  return {
    ...(name !== undefined && { name }),
    ...(normalCategory !== undefined && { category: normalCategory }),
    ...(payees !== undefined && { payees: payees.map(toPayee) }),
  }
}

function toPayee({ network, address }: CorePayee): CorePayee {
  return { network, address: address.toLowerCase() }
}

function payeeErrors(payees: readonly CorePayee[]): FieldError[] {
  const seen = new Set<string>()
  return payees.map(toPayee).flatMap(({ network, address }, index) => {
    const path = `/x402Payees/${index}/address`
    if (/^0x0+$/.test(address)) {
      return [{ path, code: 'zero_address', message: 'must not be the zero address' }]
    }
    if (seen.has(`${network} ${address}`)) {
      return [{ path, code: 'duplicate', message: 'is listed twice for this network' }]
    }
    seen.add(`${network} ${address}`)
    return []
  })
}

function toVendorShape(vendor: DirectoryEntry): Static<typeof Vendor> {
  const { host, name, category, payees } = vendor
  return {
    id: toPublicId('ven', vendor.id),
    host,
    name,
    category,
    x402Payees: [...payees],
    createdAt: toTimestamp(vendor.createdAt),
    updatedAt: toTimestamp(vendor.updatedAt),
  }
}
