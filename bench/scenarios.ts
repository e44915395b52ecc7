export interface Scenario {
  readonly name: string
  readonly agents: number
  readonly connections: number
}

/** The load on evaluate: one after another, all on one mandate, or spread over many. */
const ALL: readonly Scenario[] = [
  { name: '1,000 mandates, 1 connection', agents: 1_000, connections: 1 },
  { name: '1,000 mandates, 4 connections', agents: 1_000, connections: 4 },
  { name: '1,000 mandates, 16 connections', agents: 1_000, connections: 16 },
  { name: '1 hot mandate, 64 connections', agents: 1, connections: 64 },
  { name: '1 hot mandate, 256 connections', agents: 1, connections: 256 },
  { name: '1,000 mandates, 64 connections', agents: 1_000, connections: 64 },
  { name: '1,000 mandates, 256 connections', agents: 1_000, connections: 256 },
]

/** `BENCH_CONNECTIONS=1,4` measures only the scenarios with these numbers of connections. */
const WANTED = process.env['BENCH_CONNECTIONS']?.split(',').map(Number)

export const SCENARIOS: readonly Scenario[] = ALL.filter(
  ({ connections }) => WANTED === undefined || WANTED.includes(connections),
)
