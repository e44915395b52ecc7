import { existsSync } from 'node:fs'
import { mayBeInFile, type Setting } from '../../base/setting.ts'
import { keyFileIn } from '../../storage/secrets/key-files.ts'
import { type Config, readConfig, type Surroundings } from '../config.ts'
import { HIDDEN, hideUrls } from './hide-urls.ts'
import { listSettings, SETTINGS } from './settings.ts'
import type { UnknownSetting } from './unknown-names.ts'
import { type Env, withSecretFiles } from './variables.ts'

/** The value of one setting, as a person may see it. */
export interface EffectiveSetting {
  readonly name: string
  /** Null if it is unset and has no default. Secrets are hidden. */
  readonly value: string | null
  readonly source: 'default' | 'environment' | 'file'
  /** The file that the value comes from. */
  readonly file: string | null
  /** Whether a part of the value is hidden. */
  readonly isHidden: boolean
}

export interface EffectiveConfig {
  readonly groups: readonly {
    readonly title: string
    readonly settings: readonly EffectiveSetting[]
  }[]
  /** Variables that look like settings and are not. */
  readonly unknown: readonly UnknownSetting[]
}

/**
 * Reads the settings as a start does, and returns each with its source, for `purser config`. Throws
 * the error of the start if a setting is wrong.
 */
export function readEffective(env: Env, surroundings: Surroundings = {}): EffectiveConfig {
  const config = readConfig(env, surroundings)
  const groups = listSettings(surroundings.paths)
  const inFiles = groups
    .flatMap(({ settings }) => Object.entries(settings))
    .flatMap(([name, setting]) => (mayBeInFile(setting) ? name : []))
  // A file of the first start may be gone; its value is then unknown, and no start needs it.
  const { read } = withSecretFiles(env, inFiles)
  const toEffective = (name: string, setting: Setting): EffectiveSetting => {
    const text = read(name)
    const file = mayBeInFile(setting) && !env[name] ? env[`${name}_FILE`] || null : null
    if (file === null && text === undefined) return toDefault(name, setting, config)
    const shown = text === undefined ? null : toShown(text, setting)
    const source = file === null ? 'environment' : 'file'
    return { name, value: shown, source, file, isHidden: shown !== null && shown !== text }
  }
  return {
    groups: groups.map(({ title, settings }) => ({
      title,
      settings: Object.entries(settings).map(([name, setting]) => toEffective(name, setting)),
    })),
    unknown: config.warnings,
  }
}

function toShown(text: string, { isSecret, showsUrl }: Setting): string {
  if (!isSecret) return text
  return showsUrl === undefined ? HIDDEN : hideUrls(text, showsUrl)
}

function toDefault(name: string, setting: Setting, config: Config): EffectiveSetting {
  const computed = COMPUTED_DEFAULTS[name]
  const value = computed ? computed(config) : (setting.default ?? null)
  const isHidden = value === HIDDEN
  // The only secret without a setting: the gateway has written the key into its data folder.
  if (isHidden && name === 'PURSER_MASTER_KEY') {
    return { name, value, source: 'file', file: keyFileIn(config.storage.dataDir), isHidden }
  }
  return { name, value, source: 'default', file: null, isHidden }
}

/** Defaults that depend on other settings. docs/settings.md explains them in words. */
const COMPUTED_DEFAULTS: Readonly<Record<string, (config: Config) => string | null>> = {
  PURSER_INIT_ORG: ({ environment }) =>
    environment === 'production' ? null : SETTINGS.PURSER_INIT_ORG.default,
  PURSER_DATA_DIR: ({ storage }) => storage.dataDir,
  PURSER_MASTER_KEY: ({ storage }) => (existsSync(keyFileIn(storage.dataDir)) ? HIDDEN : null),
  PURSER_PUBLIC_URL: ({ environment, http }) =>
    environment === 'production' || http.port === 0 ? null : `http://localhost:${http.port}`,
  PURSER_DRAIN_SECONDS: ({ http }) => String(http.drainMs / 1_000),
  PURSER_ALLOW_LOOPBACK: ({ outbound }) => String(outbound.allowLoopback),
  PURSER_LOG_DECISIONS: ({ log }) => String(log.tellsDecisions),
}
