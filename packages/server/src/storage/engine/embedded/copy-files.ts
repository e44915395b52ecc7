import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** The size and time of each copied file, from before its copy began. */
export type Copied = Map<string, Version>

interface Version {
  readonly size: bigint
  readonly mtimeNs: bigint
  /** When the pass that copied it began, by the clock of the file times. */
  readonly passAtNs: bigint
}

/** File times may be this coarse: a later write can leave the same time. */
const COARSE_NS = 2_000_000_000n

/**
 * Copies the files that differ from an earlier copy, and removes those that are gone. The first pass
 * copies everything while the engine works; such a copy is not consistent. A last pass while the
 * engine stands still copies only the rest and makes it so. Returns the copied bytes.
 */
export async function copyChanged(from: string, to: string, copied: Copied): Promise<number> {
  const entries = await readdir(from, { withFileTypes: true, recursive: true })
  const pass = { from, to, copied, passAtNs: await readFileClock(to) }
  const seen = new Set<string>()
  let bytes = 0
  for (const entry of entries) {
    const path = relative(from, join(entry.parentPath, entry.name))
    if (entry.isDirectory()) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
    if (!entry.isFile()) continue
    seen.add(path)
    bytes += await copyOne(pass, path)
  }
  for (const path of [...copied.keys()].filter((one) => !seen.has(one))) {
    await rm(join(to, path), { force: true })
    copied.delete(path)
  }
  return bytes
}

/** The time of a file that is written now: no other clock can be compared with file times. */
async function readFileClock(folder: string): Promise<bigint> {
  const path = join(folder, '..', 'clock')
  await writeFile(path, '')
  const { mtimeNs } = await lstat(path, { bigint: true })
  return mtimeNs
}

interface Pass {
  readonly from: string
  readonly to: string
  readonly copied: Copied
  readonly passAtNs: bigint
}

async function copyOne({ from, to, copied, passAtNs }: Pass, path: string): Promise<number> {
  const found = await lstat(join(from, path), { bigint: true }).catch(ifMissing)
  if (!found) return 0
  const before = copied.get(path)
  const isSame = before?.size === found.size && before.mtimeNs === found.mtimeNs
  if (before && isSame && before.passAtNs - before.mtimeNs > COARSE_NS) return 0
  await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
  const isCopied = await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
    .then(() => true)
    .catch(ifMissing)
  // The engine may remove a file of its log meanwhile.
  if (!isCopied) return 0
  copied.set(path, { size: found.size, mtimeNs: found.mtimeNs, passAtNs })
  return Number(found.size)
}

/** Throws if the disk would have less than `bytesMin` left after a copy of the folder. */
export async function requireRoomForCopy(folder: string, bytesMin: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const found = await lstat(join(entry.parentPath, entry.name)).catch(ifMissing)
    bytes += found?.size ?? 0
  }
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - bytes >= bytesMin) return
  const megabytes = Math.ceil((bytes + bytesMin) / 1_000_000)
  throw new Error(
    `The disk of the data folder has no room for a copy of the database: it needs ${megabytes} MB for the time of the backup. Free space, or stop the gateway and repeat the backup.`,
  )
}

function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
