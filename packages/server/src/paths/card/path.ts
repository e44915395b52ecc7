import type { PaymentPath } from '../path.ts'
import { CARD_PROBLEMS } from './problems.ts'
import { cardRoutes } from './registry/card-routes.ts'
import { connectionRoutes } from './registry/connection-routes.ts'
import { removeOldHealth } from './storage/health.ts'
import { removeEndedTokens } from './storage/ingest-tokens.ts'
import { CARD_SEALED } from './storage/sealed-values.ts'

/** Cards whose issuer asks before it approves. */
export const cardPath: PaymentPath = {
  name: 'card',
  problems: CARD_PROBLEMS,
  sealed: CARD_SEALED,
  open: (parts) => ({
    routes(api) {
      cardRoutes(api, parts)
      connectionRoutes(api, parts)
    },
    removers: [removeEndedTokens, removeOldHealth],
  }),
}
