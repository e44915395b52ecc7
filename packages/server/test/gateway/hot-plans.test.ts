import { describeOnUsualEngine } from '../support/database.ts'
import { plansProof } from './plans-proof.ts'

describeOnUsualEngine('with 10 mandates', (engine) => plansProof(engine, 10))
