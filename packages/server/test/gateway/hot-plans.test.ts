import { describeOnEveryEngine } from '../support/database.ts'
import { plansProof } from './plans-proof.ts'

describeOnEveryEngine('with 10 mandates', (engine) => plansProof(engine, 10))
