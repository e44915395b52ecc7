import type { SignedHead } from '../storage/audit/logs.ts'

/**
 * The signed state of the audit log, so that every receiver of webhooks keeps heads without doing
 * anything for it. It has several lines and letters that headers cannot hold, so it is sent as Base64.
 */
export function treeHeadHeader({ note }: SignedHead): Readonly<Record<string, string>> {
  return { 'purser-tree-head': Buffer.from(note).toString('base64') }
}
