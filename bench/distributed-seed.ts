import { openPostgres } from '../packages/server/src/storage/engine/postgres.ts'
import { portOf } from '../packages/server/test/faults/stage.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import { type Seeded, seed } from './seed.ts'

const ORGANIZATIONS = 2
const AGENTS_EACH = 500
/** With two workers, an organization is on the other one in half of the tries. */
const TRIES_MAX = 40

/** Two organizations. On two workers, each has one of its own. */
export async function seedOnEachWorker(
  env: Record<string, string> & { readonly DATABASE_URL: string },
  workers: number,
): Promise<Seeded[]> {
  const found: Seeded[] = []
  const ports = new Set<number>()
  for (let tries = 0; found.length < ORGANIZATIONS && tries < TRIES_MAX; tries++) {
    const seeded = await seed(env, AGENTS_EACH)
    if (workers === ORGANIZATIONS) {
      const port = await findPort(env.DATABASE_URL, seeded)
      if (ports.has(port)) continue
      ports.add(port)
    }
    found.push(seeded)
  }
  if (found.length < ORGANIZATIONS) throw new Error('A worker has no organization.')
  return found
}

async function findPort(url: string, { agentIds }: Seeded): Promise<number> {
  const db = await openPostgres({ url, connectionsMax: 1 }, silentLog)
  try {
    const [row] = await db.query<{ id: string }>({
      text: 'select organization_id as id from agents where id = $1',
      values: [agentIds[0]],
    })
    return await portOf(db, row?.id ?? '')
  } finally {
    await db.close()
  }
}
