import { evaluatePath } from './evaluate/path.ts'
import type { PaymentPath } from './path.ts'

/** Every payment path. */
export const PATHS: readonly PaymentPath[] = [evaluatePath]
