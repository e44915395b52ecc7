import { evaluatePath } from './evaluate/routes.ts'
import { simulatePath } from './evaluate/simulate.ts'
import type { PaymentPath } from './path.ts'

/** Every payment path. */
export const PATHS: readonly PaymentPath[] = [evaluatePath, simulatePath]
