import { EXIT } from './exit.ts'
import { watchOutput } from './output/watch-output.ts'
import { runCommandLine } from './run.ts'

/** Stays if Node has nothing left to do, and the command has not ended. */
let code: number = EXIT.failure
process.once('beforeExit', () => {
  process.exitCode ||= code
})

watchOutput()
void runCommandLine(process.argv).then((ended) => {
  code = ended
})
