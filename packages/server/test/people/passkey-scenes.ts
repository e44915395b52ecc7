import type { Operation } from '../../src/core/change.ts'
import type { Answer, Owner, TestApp } from '../support/app.ts'
import { anAuthenticator } from '../support/authenticator.ts'
import {
  AT_HOST,
  addPasskey,
  dataOf,
  registerOptions,
  sendPasskey,
  signInWith,
} from '../support/passkeys.ts'
import { aBrowser, type Person } from '../support/people.ts'

/** Somebody does something at the console, and one row of it is kept, or none. */
export interface Scene {
  act(): Promise<Answer>
  /** Null: the call changes nothing that people have set. */
  readonly kept: Operation | null
}

export interface Stage {
  readonly app: TestApp
  readonly acme: Owner
  readonly ada: Person
  /** Takes what must be kept nowhere. */
  hide(...secrets: readonly string[]): void
}

export type Prepare = (stage: Stage) => Promise<Scene>

/** The console's endpoints about passkeys and recovery codes. */
export const PASSKEY_SCENES: Readonly<Record<string, Prepare>> = {
  'POST /session/passkey-options': async ({ app }) => ({
    act: () => aBrowser(app).post('/console/api/session/passkey-options', undefined, AT_HOST),
    kept: null,
  }),
  'POST /session/passkey': async ({ app, ada }) => {
    const { authenticator } = await addPasskey(ada)
    return {
      act: async () => (await signInWith(app, authenticator)).answer,
      kept: 'sign_in.succeeded',
    }
  },
  'POST /passkeys/register-options': async ({ ada }) => ({
    act: () => ada.post('/console/api/passkeys/register-options', undefined, AT_HOST),
    kept: null,
  }),
  'POST /passkeys/register': async ({ ada }) => {
    const credential = anAuthenticator().create(await registerOptions(ada))
    return { act: () => sendPasskey(ada, credential), kept: 'member.passkey_added' }
  },
  'PATCH /passkeys/:id': async ({ ada }) => {
    const { id } = await addPasskey(ada)
    const act = () => ada.patch(`/console/api/passkeys/${id}`, { name: 'Phone' })
    return { act, kept: 'member.passkey_renamed' }
  },
  'DELETE /passkeys/:id': async ({ ada }) => {
    const { id } = await addPasskey(ada)
    return {
      act: () => ada.delete(`/console/api/passkeys/${id}`),
      kept: 'member.passkey_removed',
    }
  },
  'POST /recovery-codes': async ({ ada, hide }) => ({
    act: async () => {
      const answer = await ada.post('/console/api/recovery-codes')
      hide(...dataOf<{ codes: string[] }>(answer).codes)
      return answer
    },
    kept: 'member.recovery_codes_created',
  }),
}
