import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import {
  RECOVERY_ALPHABET,
  RECOVERY_CODES,
  RECOVERY_LENGTH,
  showRecoveryCode,
} from '../../core/people/recovery-code.ts'
import type { App } from '../../http/app.ts'
import { nullable, Timestamp, toTimestamp } from '../../http/document/schemas.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../../storage/people/recovery-codes.ts'
import { hashSecret } from '../../storage/secrets/session-secret.ts'
import { lockOwnAccess } from '../manage.ts'
import { recoveryCodesOf } from '../people-changes.ts'
import { type ConsoleParts, signedIn } from './console-parts.ts'

const CodesLeft = Type.Object({
  left: Type.Integer({ description: 'How many codes can still be used.' }),
  createdAt: nullable(Timestamp),
})
const CreatedCodes = Type.Object({
  codes: Type.Array(Type.String({ examples: ['7K2M-9QXR-04TB-HZ3N'] }), {
    description: 'Shown once; only hashes are stored. Earlier codes no longer work.',
  }),
})

/** The codes that sign a member in once, if the passkeys are lost and the password is forgotten. */
export function recoveryCodeRoutes(app: App, { db, clock }: ConsoleParts): void {
  app.route({
    method: 'GET',
    url: '/recovery-codes',
    schema: { operationId: 'countRecoveryCodes', response: { 200: CodesLeft } },
    handler: async (request) => {
      const { organizationId, id: memberId } = signedIn(request)
      const { left, createdAt } = await countRecoveryCodes(db, { organizationId, memberId })
      return { left, createdAt: createdAt === null ? null : toTimestamp(createdAt) }
    },
  })

  app.route({
    method: 'POST',
    url: '/recovery-codes',
    schema: { operationId: 'createRecoveryCodes', response: { 200: CreatedCodes } },
    config: { sensitive: true },
    handler: async (request) => {
      const member = signedIn(request)
      const { organizationId, id: memberId } = member
      const codes = Array.from({ length: RECOVERY_CODES }, mintRecoveryCode)
      await recordedTransaction(db, request, async (tx, record) => {
        const now = await lockOwnAccess(tx, clock, member)
        replaceRecoveryCodes(tx, { organizationId, memberId }, codes.map(hashSecret), now)
        record(recoveryCodesOf(member, now))
      })
      return { codes: codes.map(showRecoveryCode) }
    },
  })
}

/** The alphabet has 32 characters, so each takes five bits of a random byte. */
function mintRecoveryCode(): string {
  const bytes = randomBytes(RECOVERY_LENGTH)
  return [...bytes].map((byte) => RECOVERY_ALPHABET.charAt(byte % 32)).join('')
}
