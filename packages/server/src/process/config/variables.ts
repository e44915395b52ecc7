import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import type { ReadVariable } from '../../paths/path.ts'

/** The environment of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/** No secret is this long, so a longer file is not one: the variable names the wrong file. */
const SECRET_BYTES_MAX = 65_536

/** Reads variables, and collects the mistakes in them. */
export interface Variables {
  readonly read: ReadVariable
  /**
   * Returns the mistakes in secret files, and then the given ones without those that only follow
   * from an unusable file.
   */
  withFileMistakes(mistakes: readonly string[]): string[]
}

/**
 * Reads variables. Secrets can also come from the file that the `_FILE` variable names. An empty
 * value counts as unset, as it does in compose files and shells.
 */
export function withSecretFiles(env: Env, secrets: readonly string[]): Variables {
  const fromFiles = new Map<string, string>()
  const mistakes = new Map<string, string>()
  for (const name of secrets) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    const { text, mistake } = env[name]
      ? { mistake: `${name} and ${name}_FILE are both set; keep one of them.` }
      : readSecretFile(name, path)
    if (mistake !== undefined) mistakes.set(name, mistake)
    else if (text !== undefined) fromFiles.set(name, text)
  }
  return {
    read: (name) => fromFiles.get(name) ?? (env[name] || undefined),
    withFileMistakes(others) {
      const names = [...mistakes.keys()].map((name) => new RegExp(`\\b${name}\\b`))
      const isFollowing = (text: string): boolean => names.some((name) => name.test(text))
      return [...mistakes.values(), ...others.filter((text) => !isFollowing(text))]
    },
  }
}

/** No message repeats a part of the file, because it may be a secret. */
function readSecretFile(name: string, path: string): { text?: string; mistake?: string } {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { mistake: `${name}_FILE names a file that cannot be read (${reason}).` }
  }
  if (bytes.length > SECRET_BYTES_MAX) {
    return { mistake: `${name}_FILE names a file of more than 64 KiB, which cannot be a setting.` }
  }
  const text = bytes.toString('utf8').trim()
  if (text === '') return { mistake: `${name}_FILE names an empty file.` }
  if (!isUtf8(bytes) || text.includes('\0')) {
    return { mistake: `${name}_FILE names a file that is not text. Store the value as text in it.` }
  }
  return { text }
}

/** Reads one of a few words. */
export function readChoice<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
  read: ReadVariable,
  mistakes: string[],
): Choice {
  const value = read(name) ?? fallback
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) mistakes.push(`${name} must be one of ${choices.join(', ')}.`)
  return choice ?? fallback
}

/** Returns undefined if it is not set. */
export function readSwitch(
  name: string,
  read: ReadVariable,
  mistakes: string[],
): boolean | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  if (text !== 'true' && text !== 'false') mistakes.push(`${name} must be true or false.`)
  return text === 'true'
}

/** Reads a number of at least 1; undefined if it is not set. */
export function readCount(
  name: string,
  read: ReadVariable,
  mistakes: string[],
): number | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  mistakes.push(`${name} must be a number from 1 to 9999999.`)
  return undefined
}
