import { Type } from 'typebox'
import { actsFor } from '../../core/api-key.ts'
import { changedTerms } from '../../core/mandates/mandate.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { toUnits } from '../../core/money.ts'
import { Rule } from '../../core/rules/rule-set.ts'
import { withActorNames } from '../../http/actor-names.ts'
import type { App } from '../../http/app.ts'
import {
  ActorName,
  ActorsOwnName,
  fromPublicId,
  Name,
  PagingFields,
  pageSchema,
  timeWhen,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { Database } from '../../storage/engine/database.ts'
import { countVersions, listVersions, type MandateVersion } from '../../storage/mandate-versions.ts'
import { findMandate } from '../../storage/mandates.ts'
import { totalOf } from '../../storage/page.ts'
import { VERSION_EXAMPLE } from './examples.ts'
import { MandateId } from './shape.ts'
import {
  BudgetPeriod,
  BudgetTotal,
  Currency,
  DiscloseLimits,
  TimeZone,
  ValidFrom,
  ValidUntil,
  WarningPercents,
} from './term-schemas.ts'

const Difference = Type.Object(
  {
    field: Type.String({ description: 'The changed field.', examples: ['rules.amount.max'] }),
    before: Type.Unknown({ description: 'The value before the change. Null if there was none.' }),
    after: Type.Unknown({ description: 'The value after the change. Null if it was removed.' }),
  },
  { title: 'MandateDifference' },
)

const Version = Type.Object(
  {
    version: Type.Integer({ description: 'The number of this version.' }),
    changedAt: timeWhen('When this version was created'),
    changedBy: ActorName,
    changedByName: ActorsOwnName,
    name: Name,
    currency: Currency,
    timezone: TimeZone,
    validFrom: ValidFrom,
    validUntil: ValidUntil,
    budgetPeriod: BudgetPeriod,
    budgetTotal: BudgetTotal,
    rules: Type.Array(Rule, { description: 'The rules of this version.' }),
    warningPercents: WarningPercents,
    discloseLimits: DiscloseLimits,
    changes: Type.Array(Difference, {
      description: 'The changes compared with the previous version.',
    }),
  },
  { title: 'MandateVersion', examples: [VERSION_EXAMPLE] },
)

const { limit, offset } = PagingFields

/** `GET /mandates/:id/versions`: the terms of each version, its time, and who made the change. */
export function mandateVersionRoutes(app: App, { db }: { readonly db: Database }): void {
  app.route({
    method: 'GET',
    url: '/mandates/:id/versions',
    schema: {
      operationId: 'listMandateVersions',
      summary: "List a mandate's versions and their changes, newest first",
      tags: ['Mandates'],
      params: Type.Object({ id: MandateId }),
      querystring: Type.Object({ limit, offset }, { additionalProperties: false }),
      response: { 200: pageSchema(Version) },
    },
    config: {
      scope: 'mandates:read',
      boundScope: 'gateway:read',
      agentKeys: 'allowed',
      problems: ['mandate_not_found'],
    },
    handler: async (request) => {
      const { organizationId, principal, params, query } = request
      const id = fromPublicId('mnd', params.id)
      const mandate = await findMandate(db, organizationId, id)
      if (!mandate || !actsFor(principal, mandate.agentId)) throw mandateNotFound(params.id)
      const { limit, offset } = query
      const versions = await listVersions(db, organizationId, id, { limit, offset })
      const shown = versions
        .slice(0, limit)
        .map((version, index) => toVersionShape(version, versions[index + 1]))
      return {
        data: await withActorNames(db, request, 'changedBy', shown),
        ...totalOf(await countVersions(db, organizationId, id)),
        limit,
        offset,
        hasMore: versions.length > limit,
        nextCursor: null,
      }
    },
  })
}

function toVersionShape(version: MandateVersion, before: MandateVersion | undefined) {
  return {
    ...version,
    rules: [...version.rules],
    warningPercents: [...version.warningPercents],
    changedAt: toTimestamp(version.changedAt),
    validFrom: toTimestamp(version.validFrom),
    validUntil: toTimestamp(version.validUntil),
    budgetTotal: toUnits(version.budgetTotal),
    changes: before ? changedTerms(before, version) : [],
  }
}
