import { type Checkpoint, createFrontier, openCheckpoint, parseVerifierKey } from '@purser/audit'
import { sha256, verifySignature } from '@purser/audit/node'
import { createLogKeys, type LogKeys } from '../../src/audit/log-keys.ts'
import { startLogSealer } from '../../src/audit/log-sealer.ts'
import type { Log } from '../../src/base/log.ts'
import type { Loop } from '../../src/base/loop.ts'
import type { Source } from '../../src/core/audit/source.ts'
import { findHead } from '../../src/storage/audit/logs.ts'
import { findSources } from '../../src/storage/audit/sources.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import type { Owner, TestApp } from './app.ts'
import { silentLog } from './silent-log.ts'

export const auditSealer = createSealer(Buffer.alloc(32, 7))

export function logKeysOn(app: TestApp, db: Database = app.database.db): LogKeys {
  return createLogKeys({ db, sealer: auditSealer, now: app.time.estimate })
}

/** Seals everything that is committed into the audit logs, in as many rounds as necessary. */
export async function sealAll(app: TestApp, db: Database = app.database.db): Promise<void> {
  const sealer = sealerOn(app, db)
  try {
    while (await isBehind(app)) await sealer.round()
  } finally {
    await sealer.stop()
  }
}

/** Gives every audit log that is behind one turn. */
export async function sealRound(
  app: TestApp,
  db: Database = app.database.db,
  log: Log = silentLog,
): Promise<void> {
  const sealer = sealerOn(app, db, log)
  try {
    await sealer.round()
  } finally {
    await sealer.stop()
  }
}

function sealerOn(app: TestApp, db: Database, log: Log = silentLog): Loop {
  const parts = { db, clock: app.time.read, keys: logKeysOn(app, db), log }
  return startLogSealer(parts)
}

async function isBehind(app: TestApp): Promise<boolean> {
  const rows = await app.rows(
    `select 1 from event_feeds f left join audit_logs l on l.organization_id = f.organization_id
     where (coalesce(l.size, 0) = 0 or l.last_number < f.last_number or l.signed_size < l.size)
       and not exists (select 1 from audit_stops s where s.organization_id = f.organization_id)`,
  )
  return rows.length > 0
}

/** Everything in the feed that is a leaf or will become one, in order; the feed has to be short. */
export async function sourcesOf(app: TestApp, organizationId: string): Promise<Source[]> {
  const numbers = Array.from({ length: 1_000 }, (_, before) => BigInt(before + 1))
  const found = await findSources(app.database.db, organizationId, numbers)
  return numbers.flatMap((number) => found.get(number) ?? [])
}

export interface StoredLeaf {
  readonly index: bigint
  readonly number: bigint
  readonly kind: string
  readonly subject: string
  readonly actor_id: string | null
  readonly hash: Buffer
  readonly nodes: Buffer | null
}

export function leavesOf(app: TestApp, { organizationId }: Owner): Promise<StoredLeaf[]> {
  return app.rows<StoredLeaf>(
    'select * from audit_leaves where organization_id = $1 order by index',
    [organizationId],
  )
}

/** The last checkpoint, verified with the published keys. */
export async function headOf(
  app: TestApp,
  { organizationId }: Owner,
  db: Database = app.database.db,
): Promise<Checkpoint | string | undefined> {
  const head = await findHead(db, organizationId)
  const keys = await logKeysOn(app).published(organizationId)
  const known = keys.flatMap((text) => parseVerifierKey(text, sha256) ?? [])
  return head && openCheckpoint(head.note, known, verifySignature)
}

/** Computes the root over these leaves again. */
export function rootOf(leaves: readonly StoredLeaf[]): Uint8Array | undefined {
  const frontier = createFrontier(sha256)
  for (const { hash } of leaves) frontier?.append(hash)
  // A checkpoint has its root as plain bytes, and a comparison of values distinguishes these from a
  // Buffer.
  return frontier && Uint8Array.from(frontier.root())
}
