import type { PaymentPath } from '../path.ts'
import { evaluateRoutes } from './routes.ts'
import { simulateRoutes } from './simulate.ts'

/** The direct path: an agent asks the gateway, and pays elsewhere if the answer is an approval. */
export const evaluatePath: PaymentPath = {
  name: 'evaluate',
  open: (parts) => ({
    routes(api) {
      evaluateRoutes(api, parts)
      simulateRoutes(api, parts)
    },
  }),
}
