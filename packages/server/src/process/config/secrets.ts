import type { ReadVariable } from '../../paths/path.ts'
import { SETTINGS } from './settings.ts'

/** 32 bytes each; undefined if the key is kept in the data folder. */
export interface MasterKeys {
  readonly given: Buffer | undefined
  /** The previous key, during a rotation. */
  readonly previous: Buffer | undefined
}

export function readDatabaseUrl(read: ReadVariable, mistakes: string[]): string | undefined {
  const text = read('DATABASE_URL')
  if (text === undefined || /^postgres(ql)?:\/\/[^\s]+$/.test(text)) return text
  mistakes.push(`DATABASE_URL must look like ${SETTINGS.DATABASE_URL.example}.`)
  return undefined
}

export function readMasterKeys(
  read: ReadVariable,
  isProduction: boolean,
  mistakes: string[],
): MasterKeys {
  const given = readMasterKey('PURSER_MASTER_KEY', read, mistakes)
  const previous = readMasterKey('PURSER_MASTER_KEY_PREVIOUS', read, mistakes)
  const isGiven = read('PURSER_MASTER_KEY') !== undefined
  if (previous !== undefined && !isGiven) {
    mistakes.push(
      'PURSER_MASTER_KEY_PREVIOUS is set without PURSER_MASTER_KEY: set PURSER_MASTER_KEY to the new key.',
    )
  }
  if (isProduction && !isGiven) {
    mistakes.push(
      'PURSER_MASTER_KEY (or PURSER_MASTER_KEY_FILE) is required when PURSER_ENV is production: 32 random bytes, for example from "openssl rand -base64 32".',
    )
  }
  return { given, previous }
}

function readMasterKey(name: string, read: ReadVariable, mistakes: string[]): Buffer | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === 32) return key
  mistakes.push(`${name} must be 32 bytes, as base64 or as 64 hexadecimal digits.`)
  return undefined
}
