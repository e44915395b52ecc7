import { describeOnEveryEngine } from '../support/database.ts'
import { sized } from '../support/sized.ts'
import { plansProof } from './plans-proof.ts'

const MANDATES = sized(25_000, 100_000)

describeOnEveryEngine(`with ${MANDATES} mandates`, (engine) => plansProof(engine, MANDATES))
