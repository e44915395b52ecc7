import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import {
  fromPublicId,
  Name,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../http/document/schemas.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import { alwaysStops } from '../../http/stops.ts'
import { listMembers } from '../../storage/people/members.ts'
import { createResetLink } from '../links.ts'
import { changeMember, endMembership, lockManaged, requireReach } from '../manage.ts'
import { removalOf, resetOf, updateOf } from '../people-changes.ts'
import { type ConsoleParts, signedIn } from './console-parts.ts'
import { Link, Member, MemberId, RoleName, toLink, toMemberShape } from './shape.ts'

const MemberPath = Type.Object({ id: MemberId })
const MemberChange = Type.Object(
  { name: Type.Optional(Name), role: Type.Optional(RoleName) },
  { additionalProperties: false, minProperties: 1 },
)

/** The members of an organization, for members who manage people. */
export function memberRoutes(app: App, { db, write, clock, publicUrl }: ConsoleParts): void {
  app.route({
    method: 'GET',
    url: '/members',
    schema: {
      operationId: 'listMembers',
      querystring: Type.Object(PagingFields, { additionalProperties: false }),
      response: { 200: pageSchema(Member) },
    },
    config: { access: 'managers' },
    handler: async ({ organizationId, query }) =>
      toPage(await listMembers(db, organizationId, toPageRequest(query)), toMemberShape),
  })

  app.route({
    method: 'PATCH',
    url: '/members/:id',
    schema: {
      operationId: 'updateMember',
      params: MemberPath,
      body: MemberChange,
      response: { 200: Member },
    },
    config: {
      access: 'managers',
      sensitive: true,
      problems: ['member_not_found', 'last_owner'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, params, body } = request
        const manager = signedIn(request)
        const id = fromPublicId('mem', params.id)
        const managed = await lockManaged(tx, clock, { organizationId, manager, id })
        if (body.role !== undefined) requireReach(managed.managerRole, body.role)
        const changed = await changeMember(tx, organizationId, managed, body)
        record(updateOf(managed.member, changed, managed.now))
        return toMemberShape(changed)
      }),
  })

  app.route({
    method: 'DELETE',
    url: '/members/:id',
    schema: {
      operationId: 'removeMember',
      params: MemberPath,
      response: { 200: Type.Object({ id: MemberId, removed: Type.Literal(true) }) },
    },
    config: {
      access: 'managers',
      sensitive: true,
      stops: alwaysStops,
      problems: ['member_not_found', 'last_owner'],
    },
    handler: async (request) => {
      const { organizationId, params } = request
      const manager = signedIn(request)
      const id = fromPublicId('mem', params.id)
      await recordedTransaction(db, request, async (tx, record) => {
        const managed = await lockManaged(tx, clock, { organizationId, manager, id })
        await endMembership(tx, organizationId, managed)
        record(removalOf(managed))
      })
      return { id: params.id, removed: true as const }
    },
  })

  app.route({
    method: 'POST',
    url: '/members/:id/reset-link',
    schema: {
      operationId: 'createResetLink',
      params: MemberPath,
      response: { 200: Link },
    },
    config: { access: 'managers', sensitive: true, problems: ['member_not_found'] },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, params } = request
        const manager = signedIn(request)
        const id = fromPublicId('mem', params.id)
        const { member, now } = await lockManaged(tx, clock, { organizationId, manager, id })
        const link = await createResetLink(tx, organizationId, member, manager.id, now)
        record(resetOf(link))
        return toLink(link, publicUrl())
      }),
  })
}
