import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { countOf } from '../base/count-of.ts'
import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { toPublicId } from '../core/id.ts'
import { toIso } from '../core/time/instant.ts'
import { closeStore } from '../storage/backup/closed-store.ts'
import { type AuditHead, listAuditHeads } from '../storage/backup/facts.ts'
import { findHeadsFrom } from '../storage/backup/heads.ts'
import { readStoreState } from '../storage/backup/store-state.ts'
import { readClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { syncFolder } from '../storage/engine/embedded/synced-files.ts'

interface KeptHeads {
  /** The database's time when the heads were read. */
  readonly at: string
  readonly heads: readonly AuditHead[]
}

interface HeadsParts {
  readonly db: Database
  /** Undefined if the gateway keeps none. */
  readonly path: string | undefined
  readonly log: Log
}

const KEPT_EVERY_MS = 5_000

/**
 * Closes the store if it is behind a head that an earlier process kept outside of it: it was put back
 * to an earlier time, by a backup of files or a recovery to a point in time (ADR 59).
 */
export async function compareHeads({ db, path }: Omit<HeadsParts, 'log'>): Promise<void> {
  if (path === undefined || !existsSync(path)) return
  if ((await readStoreState(db)) !== undefined) return
  const { at, heads } = await readHeads(path)
  const from = await findHeadsFrom(db)
  if (from !== null && Date.parse(at) <= from) return
  const behind = findBehind(heads, await listAuditHeads(db))
  if (!behind) return
  const name = toPublicId('org', behind.organizationId)
  const note = `The store is older than ${path}, which has ${countOf(Number(behind.size), 'leaf', 'leaves')} of the audit log of ${name} as of ${at}.`
  await db.transaction((tx) => closeStore(tx, 'behind', note))
}

/** The first kept head that the store has not reached, or has with a different root. */
function findBehind(
  kept: readonly AuditHead[],
  stored: readonly AuditHead[],
): AuditHead | undefined {
  const own = new Map(stored.map((head) => [head.organizationId, head]))
  return kept.find((head) => {
    const now = own.get(head.organizationId)
    if (!now || now.size < head.size) return true
    return now.size === head.size && rootOf(now) !== rootOf(head)
  })
}

/** The body of a checkpoint: the name of the log, its size and its root. Signatures follow it. */
function rootOf({ note }: AuditHead): string {
  return note.split('\n').slice(0, 3).join('\n')
}

/** Keeps the last signed heads in the file, every few seconds if one changed. */
export function startKeepingHeads({ db, path, log }: HeadsParts): Loop | undefined {
  if (path === undefined) return undefined
  let last = ''
  return startLoop({
    async run() {
      // The heads of a closed store are not news, and those in the file say how far it is behind.
      const state = (await readStoreState(db))?.state
      if (state !== undefined && state !== 'holding') return
      const at = toIso(await readClock(db))
      const heads = await listAuditHeads(db)
      const text = JSON.stringify(heads)
      if (text === last) return
      await writeHeads(path, { at, heads })
      last = text
    },
    everyMs: KEPT_EVERY_MS,
    failed: (err) => logEvent(log, 'audit.heads_not_kept', { err, path }),
  })
}

async function writeHeads(path: string, kept: KeptHeads): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`
  await writeFile(unfinished, `${JSON.stringify(kept, null, 1)}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}

async function readHeads(path: string): Promise<KeptHeads> {
  try {
    const kept: KeptHeads = JSON.parse(await readFile(path, 'utf8'))
    if (Array.isArray(kept.heads) && !Number.isNaN(Date.parse(kept.at))) return kept
  } catch (error) {
    throw damaged(path, error)
  }
  throw damaged(path, undefined)
}

function damaged(path: string, cause: unknown): Error {
  return new Error(
    `The file ${path} (PURSER_HEADS_FILE) cannot be read, so the gateway cannot tell whether the store was put back to an earlier time. Restore the file, or move it away if you are sure.`,
    { cause },
  )
}
