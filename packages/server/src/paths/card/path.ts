import type { Loop } from '../../base/loop.ts'
import { removeEndedTokens } from '../../storage/ingest-tokens.ts'
import type { PathParts, PaymentPath } from '../path.ts'
import { createAuthorizer } from './authorize.ts'
import { createByHand } from './by-hand.ts'
import { createDoors } from './doors.ts'
import { cardGatewayRoutes } from './gateway-routes.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import { CARD_PROBLEMS } from './problems.ts'
import { cardRoutes } from './registry/card-routes.ts'
import { connectionRoutes } from './registry/connection-routes.ts'
import { createFindConnection } from './registry/find-connection.ts'
import { createNoteHealth, type NoteHealth } from './registry/note-health.ts'
import { removeOldHealth } from './storage/health.ts'
import { CARD_SEALED } from './storage/sealed-values.ts'
import { startWorker } from './worker.ts'

/** Cards whose issuer asks before it approves. */
export const cardPath: PaymentPath = {
  name: 'card',
  problems: CARD_PROBLEMS,
  logEvents: CARD_LOG_EVENTS,
  sealed: CARD_SEALED,
  open(parts: PathParts) {
    const find = createFindConnection(parts)

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
        connectionRoutes(api, parts)
      },
      doors: createDoors(own),
      // Both run only once the path is at work, and what needs them is made before.
      workers: [
        () => {
          noted = createNoteHealth(parts)
          return noted
        },
        doors: createDoors(own, issuers),
        // They stop in the reverse order: what the others still note is written at last.
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
      }
    },
  }
}
