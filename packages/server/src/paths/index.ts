import { acpPath } from './acp/path.ts'
import { cardPath } from './card/path.ts'
import { evaluatePath } from './evaluate/path.ts'
import type { PaymentPath } from './path.ts'
import { x402Path } from './x402/path.ts'

/** Every payment path. */
export const PATHS: readonly PaymentPath[] = [evaluatePath, x402Path, acpPath, cardPath]
