import { MARK_BYTES } from '../../../storage/secrets/sealed.ts'
import type { SealedValues } from '../../../storage/secrets/sealed-values.ts'
import { SECRET_KINDS, type SecretKind } from '../registry/connection.ts'

/**
 * Names the owner of a secret; a sealed secret does not open for any other owner. The name stays the
 * same when a rotation makes the secret the previous one.
 */
export function secretPurpose(connectionId: string, kind: SecretKind): string {
  return `card-connection:${connectionId}:${kind}`
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

function ofConnections(kind: SecretKind, column: string): SealedValues {
  return {
    what: `card_connections.${column}`,
    async list(db, organizationId, { after: [id = FIRST_ID], mark, limit }) {
      const rows = await db.query<{ id: string; sealed: Buffer }>({
        text: `
          select id, ${column} as sealed from card_connections
          where organization_id = $1 and id > $2
            and substring(${column} from 1 for ${MARK_BYTES}) <> $3
          order by id limit $4`,
        values: [organizationId, id, mark, limit],
      })
      return rows.map((row) => ({
        place: [row.id],
        purpose: secretPurpose(row.id, kind),
        sealed: row.sealed,
      }))
    },
    replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
      text: `update card_connections set ${column} = $4
             where organization_id = $1 and id = $2 and ${column} = $3`,
      values: [organizationId, id, before, sealed],
    }),
  }
}

/** All sealed values of this path. */
export const CARD_SEALED: readonly SealedValues[] = SECRET_KINDS.flatMap((kind) => [
  ofConnections(kind, `${kind}_secret`),
  ofConnections(kind, `${kind}_previous_secret`),
])
