import type { PathName } from '../../core/path.ts'
import type { Finding } from '../../paths/path.ts'

/** The result of one check of `purser doctor`. */
export interface Check extends Finding {
  /** A short name, the same in every version. */
  readonly name: CheckName
}

export type CheckName =
  | PathName
  | 'node'
  | 'settings'
  | 'files'
  | 'disk'
  | 'gateway'
  | 'addresses'
  | 'engine'
  | 'clock'
  | 'migrations'
  | 'store'
  | 'master key'
  | 'holds'
  | 'approvals'
  | 'audit log'
  | 'analytics'
  | 'webhook queue'
  | 'paused queue'
  | 'webhooks'
  | 'mail'
  | 'backups'

export function ok(name: CheckName, text: string): Check {
  return { name, status: 'ok', text, action: null }
}

export function warn(name: CheckName, text: string, action: string): Check {
  return { name, status: 'warn', text, action }
}

export function fail(name: CheckName, text: string, action: string): Check {
  return { name, status: 'fail', text, action }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Formats a number of bytes as megabytes or gigabytes. */
export function toSize(bytes: number): string {
  const megabytes = bytes / 1_048_576
  return megabytes < 1_024 ? `${megabytes.toFixed(0)} MB` : `${(megabytes / 1_024).toFixed(1)} GB`
}
