import type { Queryable, Statement } from '../../../storage/engine/database.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { UsableInstrument } from '../issuers/token-issuer.ts'
import type { Instrument } from '../registry/instrument.ts'
import { instrumentPurpose } from './sealed-values.ts'

interface InstrumentParts {
  readonly db: Queryable
  readonly sealer: Sealer
}

interface Row extends Omit<UsableInstrument, 'credential'> {
  readonly credential: Buffer
}

/**
 * Finds the instrument with this id, or without an id the first one that the agent may use. Returns
 * undefined if the agent may use none.
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
 * Finds the instrument that a checkout began with, even if the agent may no longer use it: the
 * checkout has to come to an end.
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

const COLUMNS = `
  id, label, issuer, base_url as "baseUrl", payment_method as "paymentMethod",
  credential_hint as "credentialHint", agent_ids as "agentIds"`

/** Lists the instruments in the order of the organization's list. */
export function listInstruments(db: Queryable, organizationId: string): Promise<Instrument[]> {
  return db.query({
    text: `select ${COLUMNS} from acp_instruments where organization_id = $1 order by place`,
    values: [organizationId],
  })
}

export interface SealedInstrument extends Instrument {
  readonly credential: Buffer
}

export function listSealedInstruments(
  db: Queryable,
  organizationId: string,
): Promise<SealedInstrument[]> {
  return db.query({
    text: `select ${COLUMNS}, credential from acp_instruments
           where organization_id = $1 order by place`,
    values: [organizationId],
  })
}

/** Replaces all instruments. The caller has locked the organization. */
export function replaceInstruments(
  organizationId: string,
  instruments: readonly SealedInstrument[],
): Statement[] {
  return [
    {
      text: 'delete from acp_instruments where organization_id = $1',
      values: [organizationId],
    },
    ...instruments.map((instrument, place) => insertInstrument(organizationId, instrument, place)),
  ]
}

function insertInstrument(
  organizationId: string,
  instrument: SealedInstrument,
  place: number,
): Statement {
  return {
    text: `
      insert into acp_instruments (organization_id, id, place, label, issuer, base_url,
                                   payment_method, credential, credential_hint, agent_ids)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      organizationId,
      instrument.id,
      place,
      instrument.label,
      instrument.issuer,
      instrument.baseUrl,
      instrument.paymentMethod,
      instrument.credential,
      instrument.credentialHint,
      instrument.agentIds,
    ],
  }
}
