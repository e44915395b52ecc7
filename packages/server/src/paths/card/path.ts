import type { Loop } from '../../base/loop.ts'
import { removeEndedTokens } from '../../storage/ingest-tokens.ts'
import type { PathParts, PaymentPath } from '../path.ts'
import { createAuthorizer } from './authorize.ts'
import { createByHand } from './by-hand.ts'
import { createDoors } from './doors.ts'
import { cardGatewayRoutes } from './gateway-routes.ts'
import { ISSUERS } from './issuers/index.ts'
import type { Issuer } from './issuers/issuer.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import { CARD_PROBLEMS } from './problems.ts'
import { cardRoutes } from './registry/card-routes.ts'
import { connectionRoutes } from './registry/connection-routes.ts'
import { createFindConnection } from './registry/find-connection.ts'
import { createNoteHealth, type NoteHealth } from './registry/note-health.ts'
import { readAuthorizationBacklog } from './storage/due-authorizations.ts'
import { removeOldHealth } from './storage/health.ts'
import { CARD_SEALED } from './storage/sealed-values.ts'
import { startWorker } from './worker.ts'

/** Cards whose issuer asks the gateway before it approves (ADR 37). */
export const cardPath: PaymentPath = createCardPath(ISSUERS)

export function createCardPath(issuers: readonly Issuer[]): PaymentPath {
  return {
    name: 'card',
    problems: CARD_PROBLEMS,
    logEvents: CARD_LOG_EVENTS,
    sealed: CARD_SEALED,
    open(parts: PathParts) {
      const find = createFindConnection(parts)
      // Both start with the workers; the parts that use them are created earlier.
      let noted: NoteHealth | undefined
      let worker: Loop | undefined
      const health: Pick<NoteHealth, 'note'> = { note: (...told) => noted?.note(...told) }
      const wakeBooking = () => worker?.wake()
      const authorizer = createAuthorizer({ ...parts, health, wakeBooking })
      const own = { ...parts, find, health, authorizer }
      return {
        routes(api) {
          cardGatewayRoutes(api, own)
          cardRoutes(api, parts)
          connectionRoutes(api, { ...parts, issuers })
        },
        doors: createDoors(own, issuers),
        // They stop in reverse order, so the health notes of the others are written last.
        workers: [
          () => {
            noted = createNoteHealth(parts)
            return noted
          },
          () => {
            worker = startWorker(own)
            return worker
          },
          () => authorizer,
        ],
        removers: [removeEndedTokens, removeOldHealth],
        byHand: createByHand(parts),
        backlog: readAuthorizationBacklog,
      }
    },
  }
}
