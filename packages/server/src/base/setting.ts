/**
 * An environment variable that the gateway reads. Startup checks, `purser settings` and
 * docs/settings.md all use this description, so that they cannot differ.
 */
export interface Setting {
  /** For an operator, in plain sentences. */
  readonly description: string
  /** The value that applies while the variable is unset. Absent: there is none. */
  readonly default?: string
  /** Names the cases with a different default, or the effect of having none. */
  readonly defaultNote?: string
  /** A valid value, or for a key the shell expression that makes one. */
  readonly example: string
  /** A secret can also be set as the path of a file, in a variable whose name ends with _FILE. */
  readonly isSecret?: boolean
  /**
   * The secret is a URL whose host and path `purser config` shows, or a list with URLs whose hosts it
   * shows. It hides the rest. Without this, it hides the whole secret.
   */
  readonly showsUrl?: 'path' | 'hosts'
  /**
   * Read only while the database has no organization. Like a secret, it can also come from a file,
   * and that file may be gone at later starts.
   */
  readonly isInitial?: boolean
  /** The page in docs/ that says more. */
  readonly guide?: string
}

/** Settings by the name of their variable. */
export type Settings = Readonly<Record<string, Setting>>

export interface SettingGroup {
  readonly title: string
  readonly settings: Settings
}

/** Whether the variable with `_FILE` at the end of its name is read as well. */
export function mayBeInFile({ isSecret, isInitial }: Setting): boolean {
  return isSecret === true || isInitial === true
}
