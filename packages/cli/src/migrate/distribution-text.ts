import type { Distribution } from '@purser/server'
import { countOf } from '../output/count-of.ts'

/** The places of the tables, in lines. */
export function toDistributionLines(distribution: Distribution): string[] {
  const { citus, nodes, onWorkers, onCoordinator, toDistribute, toRegister } = distribution
  const lines = [headOf(distribution)]
  if (citus === null) return lines
  lines.push(`Citus ${citus} has ${countOf(nodes.length, 'node')}:`)
  for (const { address, role, isActive, shards } of nodes) {
    const parts = role === 'worker' ? `, ${countOf(shards, 'shard')} of each distributed table` : ''
    lines.push(`  ${address}  ${role}, ${isActive ? 'active' : 'not active'}${parts}`)
  }
  if (onWorkers.length > 0) lines.push(`On the workers: ${onWorkers.join(', ')}`)
  if (onWorkers.length > 0) lines.push(`On the coordinator: ${onCoordinator.join(', ')}`)
  if (distribution.state !== 'partly') return lines
  if (toDistribute.length > 0) lines.push(`To be moved to the workers: ${toDistribute.join(', ')}`)
  if (toRegister.length > 0) {
    lines.push(`Not yet committed together with the workers: ${toRegister.join(', ')}`)
  }
  lines.push('Stop all gateways and run  purser migrate --distributed')
  return lines
}

function headOf({ state, citus }: Distribution): string {
  switch (state) {
    case 'distributed':
      return 'The store is distributed by organization.'
    case 'partly':
      return 'A part of the store is distributed. Gateways do not start on it.'
    case 'plain':
      return citus === null
        ? 'The store is on one machine.'
        : 'The store is on one machine. Its database has Citus, so it can be distributed.'
  }
}
