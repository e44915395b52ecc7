import { describeOnEveryEngine } from '../support/database.ts'
import { plansProof } from './plans-proof.ts'

describeOnEveryEngine('with 100,000 mandates', (engine) => plansProof(engine, 100_000))
