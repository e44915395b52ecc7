import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { TextRow } from '../../storage/backup/dump.ts'
import { FORMAT, type Manifest, type TableHead } from './format.ts'

/** Receives the parts of a backup in the order of the file. */
export interface BackupReader {
  onTable(head: TableHead): Promise<void> | void
  onRow(row: TextRow): Promise<void> | void
}

/** No row comes near this; a longer line is not from a backup. */
const LINE_BYTES_MAX = 256 * 1024 * 1024
const LINE_FEED = 0x0a

/** What a line of the file is. */
type Part =
  | { readonly kind: 'row'; readonly row: TextRow }
  | { readonly kind: 'table'; readonly head: TableHead }
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'end'; readonly sha256: unknown }
  | { readonly kind: 'head'; readonly format: unknown }

/**
 * Reads a backup to its end and compares all hashes. Throws if the file is no backup, was cut off,
 * or differs from the one that was written: its parts count only once this has returned.
 */
export async function readBackup(path: string, reader: BackupReader): Promise<Manifest> {
  const sums = createSums()
  let manifest: Manifest | undefined
  let end: { readonly sha256: unknown; readonly found: string } | undefined
  for await (const line of linesOf(path)) {
    if (end) throw damaged(path, 'it goes on after its end')
    const part = parseLine(line, path)
    if (part.kind === 'end') end = { sha256: part.sha256, found: sums.whole() }
    else sums.add(part, line)
    if (part.kind === 'head') requireFormat(part.format, path)
    if (part.kind === 'manifest') ({ manifest } = part)
    await passOn(part, reader)
  }
  if (!end || !manifest) throw damaged(path, 'it was cut off')
  if (end.sha256 !== end.found) throw damaged(path, 'its hash differs')
  const found = JSON.stringify(sums.tables())
  if (found !== JSON.stringify(manifest.tables)) throw damaged(path, 'the hash of a table differs')
  return manifest
}

async function passOn(part: Part, reader: BackupReader): Promise<void> {
  if (part.kind === 'table') await reader.onTable(part.head)
  if (part.kind === 'row') await reader.onRow(part.row)
}

/** The hashes at the end of the file show whether its parts are those that were written. */
function parseLine(line: Buffer, path: string): Part {
  const value = parseJson(line, path)
  if (Array.isArray(value)) return { kind: 'row', row: value }
  const field = (name: string): unknown => Reflect.get(value, name)
  if ('table' in value) return { kind: 'table', head: value as TableHead }
  if ('manifest' in value) return { kind: 'manifest', manifest: field('manifest') as Manifest }
  if ('sha256' in value) return { kind: 'end', sha256: field('sha256') }
  return { kind: 'head', format: field('purserBackup') }
}

function parseJson(line: Buffer, path: string): object {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error that follows says the same.
  }
  throw damaged(path, 'a line is not JSON')
}

function requireFormat(format: unknown, path: string): void {
  if (format === FORMAT) return
  if (typeof format !== 'number') throw notABackup(path)
  throw new Error(
    `${path} has format ${format}, and this version reads format ${FORMAT}. Use the version that wrote it, or a newer one.`,
  )
}

function createSums() {
  const whole = createHash('sha256')
  const tables: { name: string; rows: number; hash: Hash }[] = []
  return {
    add({ kind, ...part }: Part, line: Buffer) {
      whole.update(line).update('\n')
      if ('head' in part) {
        tables.push({ name: part.head.table, rows: 0, hash: createHash('sha256') })
      }
      const table = tables.at(-1)
      if (!table || (kind !== 'table' && kind !== 'row')) return
      table.hash.update(line).update('\n')
      if (kind === 'row') table.rows += 1
    },
    whole: () => whole.copy().digest('hex'),
    tables: () =>
      tables.map(({ name, rows, hash }) => ({ name, rows, sha256: hash.copy().digest('hex') })),
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const chunks = pipeline(createReadStream(path), createGunzip(), () => {})
  let rest: Buffer[] = []
  let restBytes = 0
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        const end = chunk.subarray(from, at)
        yield rest.length === 0 ? end : Buffer.concat([...rest, end])
        rest = []
        restBytes = 0
        from = at + 1
      }
      if (from === chunk.length) continue
      rest.push(chunk.subarray(from))
      restBytes += chunk.length - from
      if (restBytes > LINE_BYTES_MAX) throw damaged(path, 'a line is too long')
    }
  } catch (error) {
    throw explain(error, path)
  }
  if (restBytes > 0) throw damaged(path, 'it was cut off')
}

function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new Error(`There is no file ${path}.`)
  if (code === 'Z_BUF_ERROR') return damaged(path, 'it was cut off')
  if (code === 'Z_DATA_ERROR') return notABackup(path)
  return error
}

function notABackup(path: string): Error {
  return new Error(`${path} is not a backup that "purser backup" wrote, or it is damaged.`)
}

function damaged(path: string, reason: string): Error {
  return new Error(`The backup ${path} is damaged: ${reason}. Nothing was restored; use another.`)
}
