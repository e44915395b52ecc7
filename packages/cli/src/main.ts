import { watchOutput } from './output/watch-output.ts'
import { runCommandLine } from './run.ts'

watchOutput()
const code = await runCommandLine(process.argv)
process.exitCode ||= code
