import { createInterface } from 'node:readline'
import { buildPrograms } from './built-programs.ts'
import { spawnOnLeash } from './leash.ts'
import { sleepParameters } from './sleeping-clock.ts'
import { clockParameters } from './turned-clock.ts'

export interface GatewayProcess {
  readonly url: string
  /** Kills it at once, in the middle of any work, and waits until it is gone. */
  kill(): Promise<void>
  /** Sends it a signal to stop and waits until it has stopped. */
  stop(): Promise<void>
  /** Freezes it in its current state, until `resume`. */
  pause(): void
  resume(): void
}

/**
 * Starts a real gateway process on a free port of the loopback; resolves once it listens. With
 * TURNED_CLOCK_MS in its environment its clock is wrong by that much.
 */
export async function startGatewayProcess(
  env: Readonly<Record<string, string>>,
  /** The main file of a different version. */
  program?: string,
): Promise<GatewayProcess> {
  const gateway = program ?? (await buildPrograms()).gateway
  const parameters = [...clockParameters(env), ...sleepParameters(env)]
  const child = spawnOnLeash(process.execPath, [...parameters, gateway], {
    env: { ...USUAL, ...env },
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = /listens on (http:\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
      // The log is JSON. If a test fails, the errors in it are the first thing to check.
      else if (/"level":[56]0/.test(line)) console.error(line)
    })
    child.once('error', reject)
    void closed.then(() => reject(new Error(`The gateway did not start.\n${errors}`)))
  })
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    await closed
  }
  return {
    url,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}

const USUAL = {
  PURSER_PORT: '0',
  PURSER_LOG_LEVEL: 'error',
  PURSER_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  // No load balancer distributes requests between the gateways of a test.
  PURSER_DRAIN_SECONDS: '0',
}
