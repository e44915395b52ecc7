import type { Queryable } from '../engine/queryable.ts'
import { hashOrganization } from './organization-hash.ts'
import { ROOT } from './placement.ts'

/** A node that has organizations. */
export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** The node of each organization. */
export interface NodeMap {
  readonly nodes: readonly NodeAddress[]
  /** The place of the organization's node in `nodes`; -1 if it is unknown. */
  indexOf(organizationId: string): number
}

interface Part extends NodeAddress {
  readonly low: number
  readonly high: number
}

const FOUND_MAX = 10_000

/** An id whose hash the database is asked for. */
const SAMPLE = '018f2b6e-5d2c-7c3a-9b1e-4f6a7d8c9e01'

/**
 * Reads which node has which organizations. It asks the coordinator alone: one row for each part of
 * `organizations`. Returns undefined if the database hashes ids in a different way.
 */
export async function readNodeMap(db: Queryable): Promise<NodeMap | undefined> {
  const [sample] = await db.query<{ hash: number }>({
    text: `select worker_hash('${SAMPLE}'::uuid) as hash`,
  })
  if (sample?.hash !== hashOrganization(SAMPLE)) return undefined
  const parts = await db.query<Part>({
    text: `
      select n.nodename as host, n.nodeport as port,
             s.shardminvalue::int as low, s.shardmaxvalue::int as high
      from pg_dist_shard s join pg_dist_placement p using (shardid)
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where s.logicalrelid = to_regclass('${ROOT}')
      order by low`,
  })
  return toNodeMap(parts)
}

function toNodeMap(parts: readonly Part[]): NodeMap {
  const nodes: NodeAddress[] = []
  const indexes = parts.map(({ host, port }) => {
    const known = nodes.findIndex((node) => node.host === host && node.port === port)
    return known < 0 ? nodes.push({ host, port }) - 1 : known
  })
  // Every waiting organization is looked up each time a lane or connection becomes free.
  const found = new Map<string, number>()

  function find(organizationId: string): number {
    if (organizationId.length !== SAMPLE.length) return -1
    const hash = hashOrganization(organizationId)
    const part = parts.findIndex(({ low, high }) => low <= hash && hash <= high)
    return indexes[part] ?? -1
  }

  return {
    nodes,
    indexOf(organizationId) {
      const known = found.get(organizationId)
      if (known !== undefined) return known
      if (found.size >= FOUND_MAX) found.clear()
      const index = find(organizationId)
      found.set(organizationId, index)
      return index
    },
  }
}
