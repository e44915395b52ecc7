import type { Queryable } from '../../../storage/engine/database.ts'
import { instrumentPurpose } from '../../../storage/instruments.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { UsableInstrument } from '../issuers/token-issuer.ts'

interface InstrumentParts {
  readonly db: Queryable
  readonly sealer: Sealer
}

interface Row extends Omit<UsableInstrument, 'credential'> {
  readonly credential: Buffer
}

/**
 * The way to pay that an agent names, or else the first one that it may use. Undefined where there
 * is none that it may use.
 */
export async function findInstrument(
  { db, sealer }: InstrumentParts,
  organizationId: string,
  { id, agentId }: { readonly id: string | null; readonly agentId: string },
): Promise<UsableInstrument | undefined> {
  const [row] = await db.query<Row>({
    text: `
      select id, issuer, base_url as "baseUrl", payment_method as "paymentMethod", credential
      from acp_instruments
      where organization_id = $1 and id = coalesce($2, id)
        and (agent_ids is null or $3 = any(agent_ids))
      order by place limit 1`,
    values: [organizationId, id, agentId],
  })
  return row && openInstrument(sealer, organizationId, row)
}

/**
 * A way to pay that a checkout was begun with. Who may use it now does not matter: what was begun
 * has to come to an end.
 */
export async function findUsedInstrument(
  { db, sealer }: InstrumentParts,
  organizationId: string,
  id: string,
): Promise<UsableInstrument | undefined> {
  const [row] = await db.query<Row>({
    text: `
      select id, issuer, base_url as "baseUrl", payment_method as "paymentMethod", credential
      from acp_instruments where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row && openInstrument(sealer, organizationId, row)
}

function openInstrument(sealer: Sealer, organizationId: string, row: Row): UsableInstrument {
  const purpose = instrumentPurpose(row.id)
  return { ...row, credential: sealer.open(organizationId, purpose, row.credential) }
}
