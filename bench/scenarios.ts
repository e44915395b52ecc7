export interface Scenario {
  readonly name: string
  readonly agents: number
  readonly connections: number
}

/** The load on evaluate: one after another, all on one mandate, or spread over many. */
export const SCENARIOS: readonly Scenario[] = [
  { name: '1,000 mandates, 1 connection', agents: 1_000, connections: 1 },
  { name: '1,000 mandates, 4 connections', agents: 1_000, connections: 4 },
  { name: '1 hot mandate, 64 connections', agents: 1, connections: 64 },
  { name: '1 hot mandate, 256 connections', agents: 1, connections: 256 },
  { name: '1,000 mandates, 64 connections', agents: 1_000, connections: 64 },
  { name: '1,000 mandates, 256 connections', agents: 1_000, connections: 256 },
]
