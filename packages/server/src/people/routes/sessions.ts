import { type Static, Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { toPublicId } from '../../core/id.ts'
import type { App } from '../../http/app.ts'
import { fromPublicId, Timestamp, toTimestamp } from '../../http/document/schemas.ts'
import { endSession, endSessions } from '../../storage/people/session-ends.ts'
import { listSessions, type Session as StoredSession } from '../../storage/people/sessions.ts'
import { type ConsoleParts, signedIn } from './console-parts.ts'
import { SessionId } from './shape.ts'

/** Exported for the generated types of the console, which call it by this name. */
export const Session = Type.Object({
  id: SessionId,
  current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  endsAt: Timestamp,
  userAgent: Type.String(),
  address: Type.String(),
})

/** A member's own sessions. They are few, so the list has no pages. */
export function sessionRoutes(app: App, { db, now }: ConsoleParts): void {
  app.route({
    method: 'GET',
    url: '/sessions',
    schema: {
      operationId: 'listSessions',
      response: { 200: Type.Object({ data: Type.Array(Session) }) },
    },
    handler: async (request) => {
      const { organizationId, id: memberId, sessionId } = signedIn(request)
      const sessions = await listSessions(db, { organizationId, memberId }, now())
      return { data: sessions.map((session) => toShape(session, sessionId)) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/sessions',
    schema: {
      operationId: 'endOtherSessions',
      response: { 200: Type.Object({ ended: Type.Integer() }) },
    },
    handler: async (request) => {
      const { organizationId, id: memberId, sessionId } = signedIn(request)
      const owner = { organizationId, memberId }
      return { ended: await endSessions(db, owner, { kept: 0, except: sessionId }) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/sessions/:id',
    schema: {
      operationId: 'endSession',
      params: Type.Object({ id: SessionId }),
      response: { 200: Type.Object({ id: SessionId, ended: Type.Literal(true) }) },
    },
    config: { problems: ['session_not_found'] },
    handler: async (request) => {
      const { organizationId, id: memberId } = signedIn(request)
      const { id } = request.params
      if (await endSession(db, { organizationId, memberId }, fromPublicId('ses', id))) {
        return { id, ended: true as const }
      }
      throw new Problem('session_not_found', `Session ${id} does not exist or is not yours.`)
    },
  })
}

function toShape(session: StoredSession, currentId: string): Static<typeof Session> {
  const { id, createdAt, lastSeenAt, idleEndsAt, endsAt, userAgent, address } = session
  return {
    id: toPublicId('ses', id),
    current: id === currentId,
    createdAt: toTimestamp(createdAt),
    lastSeenAt: toTimestamp(lastSeenAt),
    endsAt: toTimestamp(Math.min(idleEndsAt, endsAt)),
    userAgent,
    address,
  }
}
