import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import type { DirectoryEntry } from '../../core/directory-entry.ts'
import { toVendor } from '../../core/vendor.ts'
import { pageWithNames } from '../../http/actor-names.ts'
import type { App } from '../../http/app.ts'
import { aboutCards } from '../../http/body/card-numbers.ts'
import {
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import type { PathFields } from '../../http/path-fields.ts'
import type { OutboundClient } from '../../outbound/outbound-client.ts'
import {
  insertDirectoryEntry,
  listDirectoryEntries,
  lockDirectoryEntry,
  replaceAliases,
  updateDirectoryEntry,
} from '../../storage/directory-entries.ts'
import type { Database } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import { findRefusal } from '../refused-addresses.ts'
import { Category, createVendorShapes, Host, toChanges, toVendorShape, VendorId } from './shape.ts'

interface VendorParts {
  readonly db: Database
  readonly write: Write
  readonly outbound: OutboundClient
  readonly now: () => number
  readonly fields: PathFields
}

export function vendorRoutes(app: App, { db, write, outbound, now, fields }: VendorParts): void {
  const acpField = fields.vendor
  const { Vendor, VendorInput, VendorChange } = createVendorShapes(acpField)
  // Merchant ids consist of digits, and hosts and addresses may contain digits.
  const aboutVendors = aboutCards('host', 'merchantId', ...acpField.withoutCards)

  app.route({
    method: 'POST',
    url: '/vendors',
    schema: {
      operationId: 'createVendor',
      summary: 'Add a vendor to the directory',
      description:
        'With `acp`, the response has the order URL with its token, which is shown only here.',
      tags: ['Vendors'],
      body: VendorInput,
      response: { 200: Vendor },
    },
    config: {
      scope: 'vendors:write',
      cards: aboutVendors,
      sensitive: ['acp', 'x402Payees'],
      problems: ['vendor_host_taken', 'card_alias_taken'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, body } = request
      const refusal = await findRefusal(outbound, acpField.addressesOf(body.acp))
      return write(request, reply, async (tx, record) => {
        if (refusal) throw refusal
        const at = now()
        const vendor: DirectoryEntry = {
          id: newId(at),
          host: toVendor(body.host) ?? body.host,
          name: null,
          category: null,
          payees: [],
          cardAliases: [],
          acp: null,
          createdAt: at,
          updatedAt: at,
          updatedBy: actorText(principal),
          ...toChanges(body),
        }
        await insertDirectoryEntry(tx, organizationId, vendor)
        const shop = body.acp
          ? await acpField.store(tx, organizationId, vendor, body.acp)
          : { acp: null, token: undefined }
        const made = { ...vendor, acp: shop.acp }
        const after = toVendorShape(made, acpField.show(made.acp))
        record({ operation: 'vendor.created', subjectId: after.id, at, before: null, after })
        return toVendorShape(made, acpField.show(made.acp, shop.token))
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/vendors',
    schema: {
      operationId: 'listVendors',
      summary: 'List the vendor directory, newest first',
      tags: ['Vendors'],
      querystring: Type.Object(
        {
          ...PagingFields,
          host: Type.Optional({ ...Host, description: 'Only the vendor with this host.' }),
          category: Type.Optional({ ...Category, description: 'Only vendors of this category.' }),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Vendor) },
    },
    config: { scope: 'vendors:read' },
    handler: async (request) => {
      const { organizationId, query } = request
      const filter = {
        host: query.host === undefined ? undefined : toVendor(query.host),
        category: query.category?.toLowerCase(),
      }
      const page = await listDirectoryEntries(db, organizationId, filter, toPageRequest(query))
      const acpShapes = await acpField.showList(organizationId, page.rows)
      const shown = toPage(page, (vendor) => toVendorShape(vendor, acpShapes.get(vendor.id)))
      return pageWithNames(db, request, 'updatedBy', shown)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/vendors/:id',
    schema: {
      operationId: 'updateVendor',
      summary: 'Change a vendor in the directory',
      description:
        'A list in the body replaces the stored list. The host cannot be changed. In `acp`, omitted fields, including secrets, keep their values; null removes the ACP settings.',
      tags: ['Vendors'],
      params: Type.Object({ id: VendorId }),
      body: VendorChange,
      response: { 200: Vendor },
    },
    config: {
      scope: 'vendors:write',
      cards: aboutVendors,
      sensitive: ['acp', 'x402Payees'],
      problems: ['vendor_not_found', 'card_alias_taken'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, params, body } = request
      const refusal = await findRefusal(outbound, acpField.addressesOf(body.acp))
      return write(request, reply, async (tx, record) => {
        if (refusal) throw refusal
        const current = await lockDirectoryEntry(tx, organizationId, fromPublicId('ven', params.id))
        if (!current) throw vendorNotFound(params.id)
        const at = now()
        const updatedBy = actorText(principal)
        const vendor = { ...current, ...toChanges(body), updatedAt: at, updatedBy }
        await updateDirectoryEntry(tx, organizationId, vendor)
        if (body.cardAliases !== undefined) await replaceAliases(tx, organizationId, vendor)
        const shop =
          body.acp === undefined
            ? { acp: current.acp, token: undefined }
            : await acpField.store(tx, organizationId, current, body.acp)
        const changed = { ...vendor, acp: shop.acp }
        const before = toVendorShape(current, acpField.show(current.acp))
        const after = toVendorShape(changed, acpField.show(changed.acp))
        record({ operation: 'vendor.updated', subjectId: params.id, at, before, after })
        return toVendorShape(changed, acpField.show(changed.acp, shop.token))
      })
    },
  })
}

function vendorNotFound(id: string): Problem {
  return new Problem('vendor_not_found', `Vendor ${id} does not exist in this organization.`)
}
