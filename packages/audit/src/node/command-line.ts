import {
  HEADS_MAX,
  TOO_MANY_HEADS,
  VERIFY_ARGUMENT,
  VERIFY_JSON,
  VERIFY_OPTIONS,
} from '../command.ts'
import type { KnownFiles } from './read-known.ts'

/** The request that the arguments make, or a message about their mistake. */
export type Request =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'verify'
      readonly file: string
      readonly files: KnownFiles
      readonly isJson: boolean
    }
  | { readonly kind: 'mistake'; readonly text: string }

type Name = keyof typeof VERIFY_OPTIONS

/** The arguments by kind, before they are checked together. */
interface Sorted {
  readonly values: Readonly<Record<Name, string[]>>
  readonly operands: string[]
  readonly unknown: string[]
  isHelp: boolean
  isJson: boolean
}

const OPTION = /^--([a-z]+)(?:=(.*))?$/s

/**
 * Reads the arguments of `verify`. The messages have the wording and the order of `purser verify`,
 * which a library parses.
 */
export function readCommandLine(args: readonly string[]): Request {
  const sorted = sortArguments(args)
  if (typeof sorted === 'string') return mistake(sorted)
  const { values, operands, unknown, isHelp, isJson } = sorted
  if (isHelp) return { kind: 'help' }
  const [key, receipts, file] = [values.key.at(-1), values.receipts.at(-1), operands[0]]
  if (key === undefined) {
    return mistake(`error: required option '${VERIFY_OPTIONS.key.flags}' not specified`)
  }
  if (unknown.length > 0) return mistake(`error: unknown option '${unknown[0]}'`)
  if (file === undefined) {
    return mistake(`error: missing required argument '${VERIFY_ARGUMENT.name}'`)
  }
  if (operands.length > 1) {
    const count = operands.length
    return mistake(`error: too many arguments for 'verify'. Expected 1 argument but got ${count}.`)
  }
  if (values.head.length > HEADS_MAX) return mistake(TOO_MANY_HEADS)
  return { kind: 'verify', file, files: { key, heads: values.head, receipts }, isJson }
}

/** Returns a message if an option lacks its file. */
function sortArguments(args: readonly string[]): Sorted | string {
  const values: Sorted['values'] = { key: [], head: [], receipts: [] }
  const sorted: Sorted = { values, operands: [], unknown: [], isHelp: false, isJson: false }
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const lacking = sortArgument(sorted, arg, rest)
    if (lacking) return `error: option '${VERIFY_OPTIONS[lacking].flags}' argument missing`
  }
  return sorted
}

/** Takes the arguments that belong to this one from `rest`. Returns the option that lacks its file. */
function sortArgument(sorted: Sorted, arg: string, rest: string[]): Name | undefined {
  const [, name = '', attached] = OPTION.exec(arg) ?? []
  if (isOption(name)) {
    const value = attached ?? rest.shift()
    if (value === undefined) return name
    sorted.values[name].push(value)
  } else if (arg === '--') sorted.operands.push(...rest.splice(0))
  else if (arg === '-h' || arg === '--help') sorted.isHelp = true
  else if (arg === VERIFY_JSON.flags) sorted.isJson = true
  else if (arg === '-' || !arg.startsWith('-')) sorted.operands.push(arg)
  else sorted.unknown.push(arg)
  return undefined
}

function isOption(name: string): name is Name {
  return Object.hasOwn(VERIFY_OPTIONS, name)
}

function mistake(text: string): Request {
  return { kind: 'mistake', text }
}
