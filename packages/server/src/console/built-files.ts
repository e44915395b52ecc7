import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Encoding } from '../http/accepted-encoding.ts'

/** The file of a page, which the build writes. */
export const PAGE_FILE = 'index.html'

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }
const COMPRESSED = /\.(br|gz)$/

/** A built console is a few megabytes. Files beyond this size are read for each request. */
const MEMORY_BYTES_MAX = 16 * 1024 * 1024
const FILES_MAX = 2_000

export interface BuiltFile {
  readonly content: Buffer
  /** Undefined if the content is not compressed. */
  readonly encoding: Encoding | undefined
}

/** The files of the built console. */
export interface BuiltFiles {
  /** Whether the build had this file, such as `assets/index-BhVBZzGE.js`. */
  has(name: string): boolean
  /**
   * Reads the file in this encoding, or uncompressed if the build has not compressed it. Undefined
   * if the file was removed after the start.
   */
  read(name: string, encoding: Encoding | undefined): Promise<BuiltFile | undefined>
}

/**
 * Lists the files once. A request can only name a file of this list, so no address leads out of the
 * folder. Returns undefined if the folder has no page.
 */
export async function listBuiltFiles(folder: string): Promise<BuiltFiles | undefined> {
  const sizes = await readSizes(folder)
  if (!sizes.has(PAGE_FILE)) return undefined
  const kept = new Map<string, Promise<Buffer | undefined>>()
  let keptBytes = 0

  function load(name: string): Promise<Buffer | undefined> {
    const known = kept.get(name)
    if (known !== undefined) return known
    const content = readFile(join(folder, name)).catch(toAbsent)
    const size = sizes.get(name) ?? 0
    if (keptBytes + size > MEMORY_BYTES_MAX) return content
    keptBytes += size
    kept.set(name, content)
    // A failed read must not answer later requests too: the process may have had too many files
    // open, or a build may have been about to write the file again.
    const forget = (): void => {
      kept.delete(name)
      keptBytes -= size
    }
    content.then((found) => found ?? forget(), forget)
    return content
  }

  return {
    has: (name) => sizes.has(name) && !COMPRESSED.test(name),
    async read(name, encoding) {
      const compressed = encoding && name + SUFFIXES[encoding]
      const isCompressed = compressed !== undefined && sizes.has(compressed)
      const content = await load(isCompressed ? compressed : name)
      return content && { content, encoding: isCompressed ? encoding : undefined }
    },
  }
}

/** The sizes of the files by their names in the folder; empty without a folder. */
async function readSizes(folder: string): Promise<Map<string, number>> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(folder, options).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .slice(0, FILES_MAX)
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, number]> => {
        const { size } = await stat(path)
        return [relative(folder, path).replaceAll(sep, '/'), size]
      }),
    ),
  )
}

/** A build that runs beside the gateway removes the files of the build before. */
function toAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
