import { failed, runGateway } from './process/run.ts'
import { readArguments } from './process/workers/worker-count.ts'

async function main(): Promise<void> {
  await runGateway(process.env, readArguments(process.argv.slice(2)))
}

main().catch(failed)
