import type { Static } from 'typebox'
import { invalidFields, Problem } from '../../base/errors.ts'
import { type ApiKey, hasScope } from '../../core/api-key.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { fromPublicId, toTimestamp } from '../../http/document/schemas.ts'
import type { RecordChange } from '../../http/record-change.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { endApiKey, findApiKey } from '../../storage/key-revocation.ts'
import { lockOrganization } from '../../storage/organizations.ts'
import { checkReach, requireOtherManager } from './revocation.ts'
import { type ApiKeyInput, toApiKeyShape } from './shape.ts'

type Input = Static<typeof ApiKeyInput>

/** The terms of the new key: those that were sent, then those of the key that it replaces. */
export interface KeyTerms extends Omit<Input, 'name' | 'replaces' | 'overlapSeconds'> {
  readonly name: string
}

/**
 * Finds the key that a new one replaces. It locks the organization, so that two replacements, or a
 * replacement and a revocation, cannot each count on the other's key to remain.
 */
export async function findReplaced(
  tx: Tx,
  caller: Principal,
  { replaces }: Pick<Input, 'replaces'>,
): Promise<ApiKey | undefined> {
  if (replaces === undefined) return undefined
  const { organizationId } = caller
  await lockOrganization(tx, organizationId)
  const key = await findApiKey(tx, organizationId, fromPublicId('key', replaces))
  if (!key) {
    throw new Problem(
      'api_key_not_found',
      `API key ${replaces} does not exist in this organization, or is already revoked.`,
    )
  }
  checkReach(caller, key)
  return key
}

export function termsOf(input: Input, replaced: ApiKey | undefined): KeyTerms {
  const { name = replaced?.name, overlapSeconds, replaces: _, ...terms } = input
  if (name === undefined) throw badField('name', 'required', 'is required')
  if (!replaced && overlapSeconds !== undefined) {
    throw badField('overlapSeconds', 'not_allowed', 'is only allowed together with replaces')
  }
  if (!replaced) return { name, ...terms }
  const { scopes, agentIds } = replaced
  const inherited = { scopes: scopes && [...scopes], agentIds: agentIds && [...agentIds] }
  return { name, ...inherited, ...terms }
}

function badField(field: string, code: string, message: string): Problem {
  return invalidFields([{ path: `/${field}`, code, message }])
}

interface Replacement {
  readonly replaced: ApiKey
  readonly replacedBy: string
  readonly overlapSeconds: number
  readonly at: Instant
}

/** Lets the replaced key expire. It never gets a later expiry than it has. */
export async function endReplaced(
  tx: Tx,
  record: RecordChange,
  { replaced, replacedBy, overlapSeconds, at }: Replacement,
): Promise<void> {
  const { id, organizationId } = replaced
  const end = Math.min(replaced.expiresAt ?? Number.POSITIVE_INFINITY, at + overlapSeconds * 1_000)
  const isManager = replaced.agentIds === null && hasScope(replaced, 'keys:write')
  if (isManager) await requireOtherManager(tx, organizationId, [id], end)
  await endApiKey(tx, organizationId, id, end)
  const before = toApiKeyShape(replaced)
  const after = { ...before, expiresAt: toTimestamp(end), replacedBy }
  record({ operation: 'api_key.replaced', subjectId: before.id, at, before, after })
}
