import type { Instrument } from '../core/instrument.ts'
import type { Queryable, Statement } from './engine/database.ts'
import { MARK_BYTES } from './secrets/sealed.ts'
import type { SealedValues } from './secrets/sealed-values.ts'

const COLUMNS = `
  id, label, issuer, base_url as "baseUrl", payment_method as "paymentMethod",
  credential_hint as "credentialHint", agent_ids as "agentIds"`

/** Names what a credential belongs to; a sealed one does not open for anything else. */
export function instrumentPurpose(id: string): string {
  return `acp-instrument:${id}`
}

/** In the order in which they were given. */
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

/** Puts these in the place of all that are there. The caller has locked the organization. */
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

/** The credentials by which payment tokens are made. */
export const INSTRUMENT_CREDENTIALS: SealedValues = {
  what: 'acp_instruments.credential',
  async list(db, organizationId, { after: [id = ''], mark, limit }) {
    const rows = await db.query<{ id: string; sealed: Buffer }>({
      text: `
        select id, credential as sealed from acp_instruments
        where organization_id = $1 and id > $2
          and substring(credential from 1 for ${MARK_BYTES}) <> $3
        order by id limit $4`,
      values: [organizationId, id, mark, limit],
    })
    return rows.map((row) => ({
      place: [row.id],
      purpose: instrumentPurpose(row.id),
      sealed: row.sealed,
    }))
  },
  replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
    text: `update acp_instruments set credential = $4
           where organization_id = $1 and id = $2 and credential = $3`,
    values: [organizationId, id, before, sealed],
  }),
}
