import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PACKAGE_FOLDER } from '../../../base/package-folder.ts'
import { readMigrations } from '../migrate.ts'

/** The files of a database that is shut down, in memory. */
interface Prepared {
  readonly index: Index
  /** The contents of all files, one after the other. */
  readonly contents: Buffer
}

interface Index {
  readonly folders: readonly string[]
  /** Each file with the length of its content. */
  readonly files: readonly (readonly [path: string, length: number])[]
}

/** The build fills this folder. */
export const PREPARED_FOLDER = join(PACKAGE_FOLDER, 'prepared')

const FORMAT = '2'
const LINE_FEED = 0x0a

/**
 * The file with an empty, migrated database for this program. Its name depends on everything that such
 * a database depends on, so the file of a different version is never found.
 */
export async function preparedFileIn(folder: string): Promise<string> {
  const hash = createHash('sha256')
    .update(FORMAT)
    .update(await readEngineVersion())
  for (const { name, checksum } of await readMigrations()) hash.update(name).update(checksum)
  return join(folder, `database-${hash.digest('hex').slice(0, 16)}.gz`)
}

async function readEngineVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const manifest = join(dirname(entry), '..', 'package.json')
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'))
  return version
}

/** Stores the files of a database that is shut down. The file appears once it is complete. */
export async function writePrepared(database: string, file: string): Promise<void> {
  const entries = await readdir(database, { withFileTypes: true, recursive: true })
  const pathOf = (entry: (typeof entries)[number]): string => join(entry.parentPath, entry.name)
  const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf)
  const files = entries.filter((entry) => entry.isFile()).map(pathOf)
  const contents = files.map((path) => readFileSync(path))
  const inside = (path: string): string => relative(database, path)
  const index: Index = {
    folders: folders.map(inside).sort(),
    files: files.map((path, at) => [inside(path), contents[at]?.length ?? 0]),
  }
  const head = Buffer.from(`${JSON.stringify(index)}\n`)
  await mkdir(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, gzipSync(Buffer.concat([head, ...contents])))
  await rename(unfinished, file)
}

/**
 * Undefined if there is none for this program. Throws if it is damaged, which the checksum at its end
 * shows.
 */
export async function readPrepared(folder: string): Promise<Prepared | undefined> {
  const file = await preparedFileIn(folder)
  if (!existsSync(file)) return undefined
  const bytes = gunzipSync(await readFile(file))
  const end = bytes.indexOf(LINE_FEED)
  const index: Index = JSON.parse(bytes.toString('utf8', 0, end))
  return { index, contents: bytes.subarray(end + 1) }
}

/** Writes the files into an empty folder. The caller syncs them. */
export function unpackPrepared({ index, contents }: Prepared, folder: string): void {
  // A parent's name is shorter than those of the folders in it, and so sorts before them.
  for (const path of index.folders) mkdirSync(join(folder, path), { mode: 0o700 })
  let at = 0
  for (const [path, length] of index.files) {
    writeFileSync(join(folder, path), contents.subarray(at, at + length), { mode: 0o600 })
    at += length
  }
}
