import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseText } from './document.ts'
import { type FileMandate, toReferenceKey } from './file-mandate.ts'
import type { FileMistake } from './mistake.ts'
import { readMandate } from './read-mandate.ts'

/** The mandates of files, or the mistakes in them. */
export interface ReadFiles {
  readonly files: readonly string[]
  readonly mandates: readonly FileMandate[]
  readonly mistakes: readonly FileMistake[]
}

const BYTES_MAX = 1_000_000
const FILES_MAX = 1_000
const MANDATE_FILE = /\.(?:ya?ml|json)$/i

/** Reads mandate files. A folder stands for its files with the endings yaml, yml and json. */
export async function readFiles(paths: readonly string[]): Promise<ReadFiles> {
  const files = [...new Set((await Promise.all(paths.map(listFiles))).flat())]
  if (files.length > FILES_MAX) throw new Error(`At most ${FILES_MAX} files can be read at once.`)
  const texts: { file: string; text: string }[] = []
  for (const file of files) texts.push({ file, text: await readText(file) })
  return { files, ...readTexts(texts) }
}

/** Reads texts of mandate files. */
export function readTexts(
  texts: readonly { readonly file: string; readonly text: string }[],
): Pick<ReadFiles, 'mandates' | 'mistakes'> {
  const parsed = texts.map(({ file, text }) => ({ file, ...parseText(file, text) }))
  const read = parsed.flatMap(({ documents }) => documents.map(readMandate))
  const mandates = read.flatMap(({ mandate }) => mandate ?? [])
  const empty = parsed
    .filter(({ documents, mistakes }) => documents.length === 0 && mistakes.length === 0)
    .map(({ file }) => ({ file, line: 1, field: '', message: 'contains no mandate' }))
  const mistakes = [
    ...parsed.flatMap((each) => each.mistakes),
    ...empty,
    ...read.flatMap((each) => each.mistakes),
    ...findRepeated(mandates),
  ]
  return { mandates, mistakes }
}

function findRepeated(mandates: readonly FileMandate[]): FileMistake[] {
  const first = new Map<string, FileMandate>()
  return mandates.flatMap((mandate) => {
    const key = toReferenceKey(mandate)
    const earlier = first.get(key)
    if (!earlier) first.set(key, mandate)
    if (!earlier) return []
    const message = `and agent are those of the mandate at ${earlier.file}:${earlier.line}`
    const { file, lineOf } = mandate
    return [{ file, line: lineOf(['name']), field: 'name', message }]
  })
}

async function listFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `There is no file ${path}.` : error.message)
  })
  if (!found.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => MANDATE_FILE.test(name)).sort()
  if (names.length > 0) return names.map((name) => join(path, name))
  throw new Error(`The folder ${path} has no file that ends in .yaml, .yml or .json.`)
}

/** Reads a text file of a bounded size. */
export async function readText(file: string): Promise<string> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `There is no file ${file}.` : error.message)
  })
  if (size > BYTES_MAX) throw new Error(`${file} has more than ${BYTES_MAX} bytes.`)
  return readFile(file, 'utf8')
}
