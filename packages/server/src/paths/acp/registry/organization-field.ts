import { type Static, Type } from 'typebox'
import type { OrganizationField } from '../../../http/path-fields.ts'
import type { PathParts } from '../../path.ts'
import { listInstruments } from '../storage/instruments.ts'
import {
  addressesOf,
  InstrumentInputs,
  Instruments,
  storeInstruments,
  toInstrumentShapes,
} from './change-instruments.ts'

const description = "The organization's settings for ACP checkouts."
const Input = Type.Object(
  { instruments: InstrumentInputs },
  { additionalProperties: false, description },
)

/** The field `acp` of an organization: the instruments that its agents pay with. */
export function createOrganizationField({
  sealer,
}: Pick<PathParts, 'sealer'>): OrganizationField<Static<typeof Input>> {
  return {
    shown: Type.Object({ instruments: Instruments }, { description }),
    input: Input,
    withoutCards: ['baseUrl'],
    addressesOf: (input) => addressesOf(input?.instruments ?? []),
    store: (tx, organizationId, { instruments }) =>
      storeInstruments(tx, sealer, organizationId, instruments),
    show: async (db, organizationId) => ({
      instruments: toInstrumentShapes(await listInstruments(db, organizationId)),
    }),
  }
}
