import type { Instrument, InstrumentInput } from '@purser/sdk'

/** A stored instrument as the gateway takes it back: without a credential it keeps its own. */
export function toInput(instrument: Instrument): InstrumentInput {
  const { id, label, issuer, paymentMethod, baseUrl, agentIds } = instrument
  return { id, label, issuer, paymentMethod, baseUrl, agentIds }
}
