import { acpExample } from './acp/example.ts'
import { cardExample } from './card/example.ts'
import { evaluateExample } from './evaluate/example.ts'
import type { PathExample } from './path-example.ts'
import { x402Example } from './x402/example.ts'

/** One for every path: what holds for all of them is tried with each. */
export const EXAMPLES: readonly PathExample[] = [
  evaluateExample,
  x402Example,
  acpExample,
  cardExample,
]
