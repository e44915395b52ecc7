import type { PaymentPath } from '../path.ts'
import { removeEndedTokens } from './storage/ingest-tokens.ts'
import { CARD_SEALED } from './storage/sealed-values.ts'

/** Cards whose issuer asks before it approves. */
export const cardPath: PaymentPath = {
  name: 'card',
  sealed: CARD_SEALED,
  open: () => ({ removers: [removeEndedTokens] }),
}
