import { failed, runGateway } from './process/run.ts'

runGateway(process.env).catch(failed)
