import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { logEvent } from '../../base/log/log-event.ts'
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
import { queueInvitationMail } from '../../storage/messages/invitation-mails.ts'
import {
  findOpenInvitation,
  listInvitations,
  takeInvitation,
} from '../../storage/people/invitations.ts'
import { createInvitation } from '../links.ts'
import { lockPeople, requireReach } from '../manage.ts'
import { invitationOf, withdrawalOf } from '../people-changes.ts'
import { type ConsoleParts, signedIn } from './console-parts.ts'
import {
  Email,
  Invitation,
  InvitationId,
  Link,
  RoleName,
  readEmail,
  toInvitationShape,
  toLink,
} from './shape.ts'

const NewInvitation = Type.Object(
  { email: Email, role: RoleName, name: Type.Optional(Name) },
  { additionalProperties: false, examples: [{ email: 'ada@example.com', role: 'viewer' }] },
)
const CreatedInvitation = Type.Object({ ...Invitation.properties, ...Link.properties })

/** Invitation links, for members who manage people. They are mailed if there is an SMTP server. */
export function invitationRoutes(app: App, parts: ConsoleParts): void {
  const { db, write, clock, now, publicUrl, sealer, log } = parts

  app.route({
    method: 'GET',
    url: '/invitations',
    schema: {
      operationId: 'listInvitations',
      querystring: Type.Object(PagingFields, { additionalProperties: false }),
      response: { 200: pageSchema(Invitation) },
    },
    config: { access: 'managers' },
    handler: async ({ organizationId, query }) => {
      const page = await listInvitations(db, organizationId, toPageRequest(query), now())
      return toPage(page, toInvitationShape)
    },
  })

  app.route({
    method: 'POST',
    url: '/invitations',
    schema: {
      operationId: 'createInvitation',
      body: NewInvitation,
      response: { 200: CreatedInvitation },
    },
    config: {
      access: 'managers',
      sensitive: true,
      problems: ['member_exists', 'people_limit_reached'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, body } = request
        const manager = signedIn(request)
        const email = readEmail(body.email)
        const { now: at, role } = await lockPeople(tx, clock, organizationId, manager)
        requireReach(role, body.role)
        const replaced = await findOpenInvitation(tx, organizationId, email, at)
        if (replaced) requireReach(role, replaced.role)
        const invited = { organizationId, email, name: body.name ?? null, role: body.role }
        const link = await createInvitation(tx, { ...invited, createdBy: manager.id }, at)
        record(invitationOf(link))
        if (parts.sendsMail) {
          const isQueued = await queueInvitationMail(tx, sealer, link.invitation, link.token)
          if (!isQueued) logEvent(log, 'messages.invitation_not_mailed', { organizationId })
        }
        return { ...toInvitationShape(link.invitation), ...toLink(link, publicUrl()) }
      }),
  })

  app.route({
    method: 'DELETE',
    url: '/invitations/:id',
    schema: {
      operationId: 'withdrawInvitation',
      params: Type.Object({ id: InvitationId }),
      response: { 200: Type.Object({ id: InvitationId, withdrawn: Type.Literal(true) }) },
    },
    config: { access: 'managers', problems: ['invitation_not_found'] },
    handler: async (request) => {
      const { organizationId, params } = request
      const id = fromPublicId('inv', params.id)
      await recordedTransaction(db, request, async (tx, record) => {
        const { role, now: at } = await lockPeople(tx, clock, organizationId, signedIn(request))
        const taken = await takeInvitation(tx, { organizationId, id })
        if (!taken || taken.kind === 'reset') throw invitationNotFound(params.id)
        // Thrown within the transaction, so that the withdrawal is rolled back.
        requireReach(role, taken.role)
        record(withdrawalOf(taken, at))
      })
      return { id: params.id, withdrawn: true as const }
    },
  })
}

function invitationNotFound(id: string): Problem {
  return new Problem(
    'invitation_not_found',
    `Invitation ${id} does not exist or is no longer open.`,
  )
}
