import { EXIT } from '../exit.ts'
import { tell } from './print.ts'

/**
 * Handles failed writes, which would otherwise end the process with a stack trace. A reader that
 * closes the pipe, as `head` does, changes no exit code: the command has done its work.
 */
export function watchOutput(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return
    process.exitCode ||= EXIT.failure
    tell(`purser: The output is not complete: ${message}`)
  })
}
