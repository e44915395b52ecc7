import { failed, runGateway } from './run.ts'

runGateway(process.env).catch(failed)
