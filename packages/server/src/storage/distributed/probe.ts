import { Client, type ClientConfig } from 'pg'
import type { NodeAddress } from './node-map.ts'

/** Longer than a busy node needs to accept a connection. */
const CONNECT_WITHIN = '2s'

/** Whether a node answers. Rejects if the coordinator does not. */
export type Probe = (node: NodeAddress) => Promise<boolean>

/**
 * Has the coordinator open a connection to the node, which needs no lock and no row there. Each probe has
 * a session of its own: one that had used the node before would ask over its old connection, and the
 * coordinator cannot end a command that waits for a stopped worker. A probe never waits for the pool.
 */
export function createProbe(connection: ClientConfig): Probe {
  return async ({ host, port }) => {
    const client = new Client(connection)
    // The query reports the loss of its connection.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(`set citus.node_connection_timeout = '${CONNECT_WITHIN}'`)
      const { rows } = await client.query<{ isThere: boolean }>(
        'select citus_check_connection_to_node($1::text, $2::int) as "isThere"',
        [host, port],
      )
      return rows[0]?.isThere === true
    } finally {
      await client.end().catch(() => {})
    }
  }
}
