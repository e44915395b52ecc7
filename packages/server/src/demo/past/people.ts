import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { App } from '../../http/app.ts'
import { prepareSetup } from '../../people/prepare-setup.ts'
import { type Caller, callerWithSession, enter } from '../caller.ts'
import type { Owner } from '../sign-in-link.ts'
import type { DemoGateway } from '../start.ts'

export const ADA = { name: 'Ada Lindqvist', email: 'ada@lindqvist.example' } as const
export const BO = { name: 'Bo Sørensen', email: 'bo@lindqvist.example' } as const

/** The people of the demo. Sessions end after a while, so a person signs in for each occasion. */
export interface DemoPeople {
  readonly owner: Owner
  ada(): Promise<Caller>
  bo(): Promise<Caller>
}

export function newPassword(): string {
  return randomBytes(12).toString('base64url')
}

export async function createPeople({
  app,
  storage,
  config,
  time,
}: Pick<DemoGateway, 'app' | 'storage' | 'config' | 'time'>): Promise<DemoPeople> {
  const setupFile = await prepareSetup(storage.db, config.storage.dataDir, time)
  if (setupFile === undefined) throw new Error('The organization of the demo has members already.')
  const token = (await readFile(setupFile, 'utf8')).trim()
  const owner = { email: ADA.email, password: newPassword() }
  const approver = { email: BO.email, password: newPassword() }
  const cookie = await enter(app, '/console/api/setup', { token, name: ADA.name, ...owner })
  const asAda = callerWithSession(app, cookie)
  const invitation = await asAda.post('/console/api/invitations', {
    email: BO.email,
    name: BO.name,
    role: 'approver',
  })
  const { password } = approver
  await enter(app, '/console/api/accept', { token: invitation.token, name: BO.name, password })
  return { owner, ada: () => signIn(app, owner), bo: () => signIn(app, approver) }
}

async function signIn(app: App, account: Owner): Promise<Caller> {
  return callerWithSession(app, await enter(app, '/console/api/sign-in', account))
}
