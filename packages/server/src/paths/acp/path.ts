import { createCallSlots } from '../call-slots.ts'
import type { PathParts, PaymentPath } from '../path.ts'
import { createByHand } from './by-hand.ts'
import { createRunning } from './checkout/running.ts'
import { createDropInDoor } from './drop-in/drop-in-door.ts'
import { createRegistry } from './flow-parts.ts'
import { createIssuers } from './issuers/index.ts'
import { ACP_LOG_EVENTS } from './log-events.ts'
import { createOrdersDoor } from './orders/orders-door.ts'
import { ACP_PROBLEMS, ACP_REFUSALS } from './problems.ts'
import { startReconciler } from './reconciler.ts'
import { createOrganizationField } from './registry/organization-field.ts'
import { createVendorField } from './registry/vendor-field.ts'
import { checkoutRoutes } from './routes.ts'
import { type AcpSettings, acpSettings } from './settings.ts'
import { readCheckoutBacklog } from './storage/due-checkouts.ts'
import { ACP_SEALED } from './storage/sealed-values.ts'

/** Limits concurrent purchases, because each may hold the largest answers in memory. */
const PURCHASES_MAX = 64

/** Checkouts at merchants that speak the Agentic Commerce Protocol. */
export const acpPath: PaymentPath<AcpSettings> = {
  name: 'acp',
  settings: acpSettings,
  problems: ACP_PROBLEMS,
  refusals: ACP_REFUSALS,
  logEvents: ACP_LOG_EVENTS,
  sealed: ACP_SEALED,
  open(parts: PathParts, { stripeVersion }) {
    const running = createRunning(parts.log)
    const own = {
      ...parts,
      registry: createRegistry(parts),
      issuers: createIssuers({ outbound: parts.outbound, stripeVersion }),
      slots: createCallSlots(PURCHASES_MAX),
      running,
    }
    return {
      routes: (api) => checkoutRoutes(api, own),
      doors: [createOrdersDoor(own), createDropInDoor(own)],
      workers: [() => running, () => startReconciler(own)],
      byHand: createByHand(own),
      backlog: readCheckoutBacklog,
      fields: { vendor: createVendorField(parts), organization: createOrganizationField(parts) },
    }
  },
}
