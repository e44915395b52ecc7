import { readFileSync } from 'node:fs'
import type { ReadVariable } from '../../paths/path.ts'

/** The environment of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads variables. Secrets can also come from the file that the `_FILE` variable names. An empty
 * value counts as unset, as it does in compose files and shells.
 */
export function withSecretFiles(
  env: Env,
  secrets: readonly string[],
  mistakes: string[],
): ReadVariable {
  const fromFiles = new Map<string, string>()
  for (const name of secrets) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    if (env[name]) {
      mistakes.push(`${name} and ${name}_FILE are both set; keep one of them.`)
      continue
    }
    try {
      fromFiles.set(name, readFileSync(path, 'utf8').trim())
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      mistakes.push(`${name}_FILE names a file that cannot be read (${reason}).`)
    }
  }
  return (name) => fromFiles.get(name) ?? (env[name] || undefined)
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
