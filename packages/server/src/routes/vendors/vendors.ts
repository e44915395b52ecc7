import { Type } from 'typebox'
import { actorText } from '../../core/actor.ts'
import type { DirectoryEntry } from '../../core/directory-entry.ts'
import { toVendor } from '../../core/vendor.ts'
import { Problem } from '../../errors.ts'
import type { App } from '../../http/app.ts'
import { aboutCards } from '../../http/card-numbers.ts'
import type { Write } from '../../http/idempotency.ts'
import {
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../http/schemas.ts'
import {
  insertDirectoryEntry,
  listDirectoryEntries,
  lockDirectoryEntry,
  replaceAliases,
  updateDirectoryEntry,
} from '../../storage/directory-entries.ts'
import type { Database } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import {
  Category,
  Host,
  toChanges,
  toVendorShape,
  Vendor,
  VendorChange,
  VendorId,
  VendorInput,
} from './shape.ts'

/** Merchants have ids of digits, and so may hosts have. */
const ABOUT_VENDORS = aboutCards('host', 'merchantId')

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
    config: {
      scope: 'vendors:write',
      cards: ABOUT_VENDORS,
      problems: ['vendor_host_taken', 'card_alias_taken'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, body } = request
        const at = now()
        const vendor: DirectoryEntry = {
          id: newId(at),
          host: toVendor(body.host) ?? body.host,
          name: null,
          category: null,
          payees: [],
          cardAliases: [],
          createdAt: at,
          updatedAt: at,
          updatedBy: actorText(principal),
          ...toChanges(body),
        }
        await insertDirectoryEntry(tx, organizationId, vendor)
        const after = toVendorShape(vendor)
        record({ operation: 'vendor.created', subjectId: after.id, at, before: null, after })
        return after
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
    config: {
      scope: 'vendors:write',
      cards: ABOUT_VENDORS,
      problems: ['vendor_not_found', 'card_alias_taken'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, params, body } = request
        const current = await lockDirectoryEntry(tx, organizationId, fromPublicId('ven', params.id))
        if (!current) throw vendorNotFound(params.id)
        const at = now()
        const updatedBy = actorText(principal)
        const vendor = { ...current, ...toChanges(body), updatedAt: at, updatedBy }
        await updateDirectoryEntry(tx, organizationId, vendor)
        if (body.cardAliases !== undefined) await replaceAliases(tx, organizationId, vendor)
        const [before, after] = [toVendorShape(current), toVendorShape(vendor)]
        record({ operation: 'vendor.updated', subjectId: params.id, at, before, after })
        return after
      }),
  })
}

function vendorNotFound(id: string): Problem {
  return new Problem('vendor_not_found', `There is no vendor ${id} in this organization.`)
}
