import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../../base/errors.ts'
import type { App } from '../../http/app.ts'
import { authenticateMember, readGivenSession } from '../../http/auth/authenticate-member.ts'
import { refuseOtherOrigin } from '../../http/auth/same-origin.ts'
import type { ConsoleParts } from './console-parts.ts'
import { entranceRoutes } from './entrance.ts'
import { invitationRoutes } from './invitations.ts'
import { memberRoutes } from './members.ts'
import { messageRoutes } from './messages.ts'
import { ownRoutes } from './own.ts'
import { passkeyRoutes } from './passkeys.ts'
import { recoveryCodeRoutes } from './recovery-codes.ts'
import { sessionRoutes } from './sessions.ts'
import { stateRoutes } from './state.ts'

export const CONSOLE_PREFIX = '/console/api'
/** Bodies here are short, and strangers may send them. */
const BODY_BYTES_MAX = 16_384

export const CONSOLE_ROUTES = [
  stateRoutes,
  entranceRoutes,
  ownRoutes,
  sessionRoutes,
  passkeyRoutes,
  recoveryCodeRoutes,
  memberRoutes,
  invitationRoutes,
  messageRoutes,
]

const PROBLEMS: readonly ProblemCode[] = ['session_required', 'insufficient_role']

/**
 * The endpoints that only people can call, with a session. They are not part of the API, nor of its
 * document.
 */
export async function registerConsole(app: App, parts: ConsoleParts): Promise<void> {
  await app.register(
    (console, _options, done) => {
      console.addHook('onRoute', (route) => {
        const problems = [...PROBLEMS, ...(route.config?.problems ?? [])]
        route.config = { ...route.config, problems, isApi: true }
        route.schema = { ...route.schema, hide: true }
        route.bodyLimit = BODY_BYTES_MAX
      })
      console.addHook('onRequest', (request, reply, done) => {
        const waiting = admit(request, reply, parts)
        if (waiting instanceof Promise) waiting.then(() => done(), done)
        else done()
      })
      for (const routes of CONSOLE_ROUTES) routes(console.withTypeProvider(), parts)
      done()
    },
    { prefix: CONSOLE_PREFIX },
  )
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ConsoleParts,
): Promise<void> | undefined {
  const { access } = request.routeOptions.config
  if (access === 'open') {
    refuseOtherOrigin(request, parts.cookies)
    return undefined
  }
  // No key may call these endpoints, so keys are not looked up.
  if (request.headers.authorization !== undefined) throw sessionRequired()
  const given = readGivenSession(request, parts)
  if (!given) throw new Problem('unauthenticated', 'Sign in first with POST /console/api/sign-in.')
  return authenticateMember(request, reply, parts, given)
}

function sessionRequired(): Problem {
  return new Problem(
    'session_required',
    'API keys cannot do this, whatever their scopes. Sign in, and send the request without an Authorization header.',
  )
}
