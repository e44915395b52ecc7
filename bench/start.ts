import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keep, startGateway, toHundredths } from './harness.ts'

interface StartOptions {
  readonly rounds: number
}

/** CPU seconds of the gateway until it is ready, in one round. */
interface Round {
  readonly first: number
  readonly later: number
}

/** The aims for a start, on the machine of the recorded results. */
const AIM: Round = { first: 2.5, later: 2 }

/** Linux counts the time of processes in these ticks, whatever its own clock does. */
const TICKS_PER_SECOND = 100

/**
 * Measures the cost of a start: on an empty data folder, and again on the same one. It counts the
 * CPU time of the process until it reports that it listens, which a busy machine affects less than
 * elapsed time.
 */
export async function benchStart(
  { rounds }: StartOptions,
  interruption: AbortSignal,
): Promise<void> {
  const measured: Round[] = []
  for (let round = 0; round < rounds && !interruption.aborted; round++) {
    const one = await runRound()
    console.log(`round ${round + 1}: first ${one.first} s, later ${one.later} s of CPU`)
    measured.push(one)
  }
  interruption.throwIfAborted()
  const medians = {
    first: medianOf(measured.map(({ first }) => first)),
    later: medianOf(measured.map(({ later }) => later)),
  }
  const line = (kind: keyof Round): string =>
    `${kind} start: ${medians[kind]} s of CPU until ready, the median of ${rounds}; aim ${AIM[kind]} s`
  await keep('start', [line('first'), line('later')], { medians, aim: AIM, rounds: measured })
}

async function runRound(): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-start-'))
  try {
    const dataDir = join(folder, 'data')
    return { first: await measureStart(dataDir), later: await measureStart(dataDir) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureStart(dataDir: string): Promise<number> {
  const env = { PURSER_PORT: '0', PURSER_DATA_DIR: dataDir }
  const gateway = await startGateway('gateway', env, { apiKey: '', agentIds: [] })
  try {
    return toHundredths(await readCpuSeconds(gateway.pid))
  } finally {
    await gateway.stop()
  }
}

/** Counts all threads, including the compiler's. */
async function readCpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program comes second, in parentheses, and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number)
  return (user + system) / TICKS_PER_SECOND
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
