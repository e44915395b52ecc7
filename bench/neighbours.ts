import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { ATTACKS, type AttackTask } from './attacks.ts'
import { type Spread, spreadOf } from './comparison.ts'
import { type Contender, keep, ROOT, startGateway } from './harness.ts'
import { type Program, startProgram } from './program.ts'
import { initOrganization, seedByApi } from './seed-by-api.ts'
import type { Latencies, VictimResult, VictimTask } from './victim.ts'

export interface NeighbourOptions {
  readonly attacks: readonly string[]
  readonly rounds: number
  readonly seconds: number
}

const AGENTS = 50
const PORTS = { gateway: '4141', other: '4142', elsewhere: '4143' }
const OTHER_NAME = 'purser-of-the-attacker'
/** A fraction of the gateway's capacity, so that only the attack makes it slow. */
const RATES = { evaluate: 40, get: 20 }
const ENDPOINTS = ['evaluate', 'get'] as const
/** The effect of an attack is over when the median is near its usual value again. */
const RECOVERED_RATIO = 3
const RECOVERY_SLICES_MAX = 60

interface Row {
  readonly attack: string
  readonly endpoint: (typeof ENDPOINTS)[number]
  /** Medians of the rounds, in milliseconds. */
  readonly quiet: { readonly p50: number; readonly p99: number }
  readonly attacked: { readonly p50: number; readonly p99: number }
  /** The ratio with the attack ÷ without it, in each round. */
  readonly p50Ratio: Spread
  readonly p99Ratio: Spread
  readonly failed: number
}

/**
 * Measures the effect of an attacking organization on a second one. Both use one gateway process.
 * Slices with and without the attack alternate, and the ratios of each round are compared. The
 * attack ends with its slice, so it blocks requests only during the slice and its aftermath.
 */
export async function benchNeighbours(
  options: NeighbourOptions,
  interruption: AbortSignal,
): Promise<void> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const folder = await mkdtemp(join(tmpdir(), 'purser-neighbours-'))
  const [server, apart] = await Promise.all([startPostgresServer(bin), startPostgresServer(bin)])
  const running: { stop(): Promise<void> }[] = []
  try {
    const scene = await setScene([server.url, apart.url], folder, running, interruption)
    const rows: Row[] = []
    for (const attack of options.attacks) {
      rows.push(...(await measureAttack(scene, attack, options, interruption)))
    }
    await keep('neighbours', toTable(rows, options), { ...options, rows })
  } finally {
    for (const { stop } of running.reverse()) await stop()
    await Promise.all([server.stop(), apart.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

interface Scene {
  readonly victim: Program
  readonly task: Omit<AttackTask, 'attack'>
}

async function setScene(
  [databaseUrl, urlApart]: readonly [string, string],
  folder: string,
  running: { stop(): Promise<void> }[],
  interruption: AbortSignal,
): Promise<Scene> {
  const env = { DATABASE_URL: databaseUrl, PURSER_DATA_DIR: folder, PURSER_PORT: PORTS.gateway }
  const keys = [await initOrganization(ROOT, env), await initOrganization(ROOT, env)] as const
  const start = async (name: string, more: Record<string, string>): Promise<Contender> => {
    const gateway = await startGateway(name, { ...env, ...more }, { apiKey: '', agentIds: [] })
    running.push(gateway)
    return gateway
  }
  const { port } = await start('gateway', {})
  const named = `${databaseUrl}?application_name=${OTHER_NAME}`
  const other = await start('other', { DATABASE_URL: named, PURSER_PORT: PORTS.other })
  const apart = { ...env, DATABASE_URL: urlApart, PURSER_PORT: PORTS.elsewhere }
  const keyApart = await initOrganization(ROOT, apart)
  const elsewhere = await start('elsewhere', apart)
  const seededApart = await seedByApi(elsewhere.port, keyApart, AGENTS, interruption)
  const victim = await seedByApi(port, keys[0], AGENTS, interruption)
  const attacker = await seedByApi(port, keys[1], AGENTS, interruption)
  const mandates = await call(port, keys[0], 'GET', `/mandates?limit=${AGENTS}`)
  const [agentId = ''] = attacker.agentIds
  const bound = { name: 'Bound', agentIds: [agentId] }
  const { apiKey: agentKey } = await call(port, keys[1], 'POST', '/api-keys', bound)
  const mandateIds = mandates.data.map(({ id }) => id)
  const victimTask: VictimTask = { port, ...victim, mandateIds, rates: RATES }
  const program = startProgram('victim.ts', victimTask)
  running.push(program)
  return {
    victim: program,
    task: {
      port,
      other: { port: other.port, pid: other.pid, applicationName: OTHER_NAME },
      elsewhere: { port: elsewhere.port, ...seededApart },
      databaseUrl,
      ...attacker,
      agentKey,
    },
  }
}

interface Called {
  readonly data: readonly { readonly id: string }[]
  readonly apiKey: string
}

async function call(
  port: number,
  apiKey: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Called> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

interface Round {
  readonly quiet: VictimResult
  readonly attacked: VictimResult
}

async function measureAttack(
  { victim, task }: Scene,
  attack: string,
  { rounds, seconds }: NeighbourOptions,
  interruption: AbortSignal,
): Promise<Row[]> {
  const attacker = startProgram('attacker.ts', { ...task, attack })
  const measure = async (forSeconds: number): Promise<VictimResult> => {
    interruption.throwIfAborted()
    return JSON.parse(await victim.ask(String(forSeconds)))
  }
  const measureAttacked = async (): Promise<VictimResult> => {
    await attacker.ask('prepare')
    await attacker.ask('begin')
    const measuring = measure(seconds)
    await Promise.race([wait(seconds * 1_000), measuring])
    await attacker.ask('end')
    const result = await measuring
    await recover()
    return result
  }
  let usualMs = Number.POSITIVE_INFINITY
  const measureQuiet = async (): Promise<VictimResult> => {
    const quiet = await measure(seconds)
    usualMs = Math.min(usualMs, quiet.evaluate.p50)
    return quiet
  }
  const recover = async (): Promise<void> => {
    for (let slices = 0; slices < RECOVERY_SLICES_MAX; slices += 1) {
      if ((await measure(1)).evaluate.p50 <= RECOVERED_RATIO * usualMs) return
    }
  }
  const measured: Round[] = []
  try {
    await measureQuiet()
    // The first round warms up and is discarded.
    for (let round = 0; round <= rounds; round += 1) {
      const isQuietFirst = round % 2 === 0
      const before = isQuietFirst ? await measureQuiet() : undefined
      const attacked = await measureAttacked()
      const quiet = before ?? (await measureQuiet())
      if (round > 0) measured.push({ quiet, attacked })
      console.error(`${attack}, round ${round} of ${rounds}: ${toProgress({ quiet, attacked })}`)
    }
  } finally {
    await attacker.stop()
  }
  return ENDPOINTS.map((endpoint) => toRow(attack, endpoint, measured))
}

function toProgress({ quiet, attacked }: Round): string {
  const one = ({ p50, p99 }: Latencies): string => `${p50} / ${p99}`
  return ENDPOINTS.map(
    (endpoint) => `${endpoint} ${one(quiet[endpoint])} → ${one(attacked[endpoint])} ms`,
  ).join(', ')
}

function toRow(attack: string, endpoint: Row['endpoint'], rounds: readonly Round[]): Row {
  const medianOf = (side: keyof Round, figure: 'p50' | 'p99'): number =>
    spreadOf(rounds.map((round) => round[side][endpoint][figure])).median
  const ratioOf = (figure: 'p50' | 'p99'): Spread =>
    spreadOf(
      rounds.map(({ quiet, attacked }) => attacked[endpoint][figure] / quiet[endpoint][figure]),
    )
  return {
    attack,
    endpoint,
    quiet: { p50: medianOf('quiet', 'p50'), p99: medianOf('quiet', 'p99') },
    attacked: { p50: medianOf('attacked', 'p50'), p99: medianOf('attacked', 'p99') },
    p50Ratio: ratioOf('p50'),
    p99Ratio: ratioOf('p99'),
    failed: rounds.reduce((sum, { attacked }) => sum + attacked[endpoint].failed, 0),
  }
}

function toTable(rows: readonly Row[], { attacks, rounds, seconds }: NeighbourOptions): string[] {
  return [
    `Another organization's requests with and without an attack: medians of ${rounds} rounds, slices of ${seconds} s, open load of ${RATES.evaluate} evaluates and ${RATES.get} reads of a mandate a second.`,
    ...attacks.map((attack) => `${attack}: ${ATTACKS[attack]?.summary}.`),
    '| Attack | Request | p50 / p99 ms without | with | p50 × | p99 × | min to max | not answered 200 |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(({ attack, endpoint, quiet, attacked, p50Ratio, p99Ratio, failed }) => {
      const times = `${quiet.p50} / ${quiet.p99} | ${attacked.p50} / ${attacked.p99}`
      const ratios = `${p50Ratio.median} | ${p99Ratio.median} | ${p99Ratio.min} to ${p99Ratio.max}`
      return `| ${attack} | ${endpoint} | ${times} | ${ratios} | ${failed} |`
    }),
  ]
}
