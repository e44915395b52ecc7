import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The differences between generated files and those on disk. Paths are relative to the root. */
export interface Differences {
  /** Files that are missing or have other contents. */
  readonly stale: readonly string[]
  /** Files in the folders of generated files that are not generated any more. */
  readonly leftOver: readonly string[]
}

/** `folders` hold generated files only. */
export async function compareFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  folders: readonly string[],
): Promise<Differences> {
  const stale: string[] = []
  for (const [path, fresh] of files) {
    const committed = await readFile(join(root, path), 'utf8').catch(() => undefined)
    if (committed !== fresh) stale.push(path)
  }
  const found = await Promise.all(folders.map((folder) => listFiles(root, folder)))
  return { stale, leftOver: found.flat().filter((path) => !files.has(path)) }
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(join(root, folder), options).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}
