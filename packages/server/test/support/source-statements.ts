import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Literal, scanSource } from './source-literals.ts'

const SRC = resolve(import.meta.dirname, '../../src')

/** A statement as written in the source. */
export interface SourceStatement {
  /** The file, the line and the first words of the statement. */
  readonly name: string
  /**
   * Whether this text, which was sent to a database, is the statement with its parts filled in. The
   * text must be without indentation (`squeeze`).
   */
  matches(squeezed: string): boolean
}

type Constants = ReadonlyMap<string, Literal>

/** The files in `src` that contain SQL. */
export function listStorageFiles(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /^(paths\/[^/]+\/)?storage\/.*\.ts$/.test(file)).sort()
}

export function readSourceStatements(file: string): SourceStatement[] {
  return findStatements(file, readFileSync(join(SRC, file), 'utf8'))
}

/**
 * Finds the values that a file uses as the `text` of a statement, and as the `from` of a list,
 * which `page.ts` turns into a statement. Throws if a value is neither a literal nor a constant
 * that is one: a statement that cannot be read here could never be reported as missing.
 */
export function findStatements(file: string, source: string): SourceStatement[] {
  const { literals, code } = scanSource(source)
  const constants = constantsOf(code, literals)

  /** `used` ends with the name of a constant or with the beginning of a literal. */
  function toStatement(used: RegExpExecArray, isList: boolean): SourceStatement {
    const [whole, value = used[2] ?? ''] = used
    const at = used.index + whole.length - 1
    const literal = constants.get(value) ?? literals.find((one) => one.at === at)
    const place = `${file}:${source.slice(0, at).split('\n').length}`
    if (!literal) throw new Error(`${place}: the SQL is not written there.`)
    const name = `${place}: ${isList ? 'a list of ' : ''}${firstLineOf(literal)}`
    const text = squeeze(textOf(literal, constants))
    const isText = isList ? isListOf : isFilledIn
    return { name, matches: (squeezed) => isText(squeezed, text) }
  }

  // `text: string` is a type.
  const texts = [...code.matchAll(/\btext: *(?!string\b)(\w+|`)|\{\s*(text)(?=\s*[,}])/g)]
  const lists = [...code.matchAll(/\bcolumns: *(?:\w+|` *)\s*,\s*from: *(\w+|`)/g)]
  return [
    ...texts.map((used) => toStatement(used, false)),
    ...lists.map((used) => toStatement(used, true)),
  ]
}

function constantsOf(code: string, literals: readonly Literal[]): Constants {
  return new Map(
    literals.flatMap((literal) => {
      const [, name] = /\bconst (\w+) =\s*$/.exec(code.slice(0, literal.at)) ?? []
      return name === undefined ? [] : [[name, literal] as const]
    }),
  )
}

/** Marks a part that is filled in; no SQL contains it. */
const FILLED_IN = '\u0000'

/** Replaces constants of the file by their text. */
function textOf({ parts }: Literal, constants: Constants): string {
  const texts = parts.map((part) => {
    if ('text' in part) return part.text
    const constant = constants.get(part.code)
    return constant ? textOf(constant, constants) : FILLED_IN
  })
  return texts.join('')
}

/** Whether the sent text equals the other one, with any or no text in its gaps. */
function isFilledIn(sent: string, text: string): boolean {
  const [first = '', ...others] = text.split(FILLED_IN)
  const last = others.pop()
  if (last === undefined) return sent === first
  if (!sent.startsWith(first) || !sent.endsWith(last)) return false
  let from = first.length
  return others.every((piece) => {
    const at = sent.indexOf(piece.trim(), from)
    from = at + piece.trim().length
    return at >= 0 && from <= sent.length - last.length
  })
}

function isListOf(sent: string, from: string): boolean {
  return sent.startsWith('select ') && sent.includes(` from ${from} `)
}

/** Removes the indentation. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function firstLineOf({ parts }: Literal): string {
  const text = parts.map((part) => ('text' in part ? part.text : '…')).join('')
  return text.trim().split('\n', 1)[0] ?? ''
}
