import { Type } from 'typebox'
import { VERSION } from '../../base/version.ts'
import type { App } from '../../http/app.ts'
import { nullable } from '../../http/document/schemas.ts'
import type { Database } from '../../storage/engine/database.ts'
import { findOnlyOrganization } from '../../storage/organizations.ts'
import { hasMembers } from '../../storage/people/sign-in-names.ts'
import { findPasskeyPlace } from '../passkey-host.ts'
import type { ConsoleParts } from './console-parts.ts'

const State = Type.Object({
  needsSetup: Type.Boolean({ description: 'Whether no organization has a member yet.' }),
  organization: nullable(
    Type.String({ description: 'The name of the organization. Null unless there is exactly one.' }),
  ),
  environment: Type.Enum(['development', 'production', 'demo'], { type: 'string' }),
  version: Type.String(),
  signIn: Type.Array(Type.Enum(['password', 'passkey'], { type: 'string' }), {
    description: 'The ways to sign in at this address.',
  }),
  passkeyHost: nullable(
    Type.String({
      description:
        'The host name that passkeys belong to. Null if the page was opened at an IP address, where browsers refuse passkeys.',
    }),
  ),
})

const WITH_PASSWORD = ['password' as const]

/** The state that the sign-in and set-up pages need before anyone has signed in. */
export function stateRoutes(app: App, parts: ConsoleParts): void {
  const { db, now, environment } = parts
  const readInstallation = createInstallationReader(db, now)

  app.route({
    method: 'GET',
    url: '/state',
    schema: { operationId: 'getConsoleState', response: { 200: State } },
    config: { access: 'open' },
    handler: async ({ headers }) => {
      const passkeyHost = findPasskeyPlace(parts, headers.host)?.host ?? null
      const signIn = passkeyHost === null ? WITH_PASSWORD : [...WITH_PASSWORD, 'passkey' as const]
      return { ...(await readInstallation()), environment, version: VERSION, signIn, passkeyHost }
    },
  })
}

interface Installation {
  readonly needsSetup: boolean
  readonly organization: string | null
}

const READ_EVERY_MS = 250

/** Reads at most four times a second, because strangers can call the endpoint as often as they like. */
function createInstallationReader(db: Database, now: () => number): () => Promise<Installation> {
  let last: { readonly at: number; readonly read: Promise<Installation> } | undefined

  async function read(): Promise<Installation> {
    const [only, isUsed] = await Promise.all([findOnlyOrganization(db), hasMembers(db)])
    return { needsSetup: !isUsed, organization: only?.name ?? null }
  }
  return () => {
    const at = now()
    if (last && Math.abs(at - last.at) < READ_EVERY_MS) return last.read
    const current = { at, read: read() }
    last = current
    // The next call must not get the failure of this one.
    current.read.catch(() => {
      if (last === current) last = undefined
    })
    return current.read
  }
}
