import type { Manifest } from '@purser/server'
import { countOf } from '../output/count-of.ts'

/** What a backup contains, in a few lines. */
export function toManifestText(manifest: Manifest): string {
  const { tables, organizations, auditHeads, createdAt, version, migrations, masterKeys } = manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const counts = [
    countOf(organizations.length, 'organization'),
    countOf(rowsOf(tables, 'transactions'), 'transaction'),
    countOf(rows, 'row'),
  ]
  const key =
    masterKeys.current === null ? '' : ` Its secrets need the master key ${masterKeys.current}.`
  return [
    `${counts.join(', ')}, as of ${createdAt}.`,
    `Version ${version}, ${countOf(migrations.length, 'migration')}, ${countOf(auditHeads.length, 'signed audit log')}.${key}`,
  ].join('\n')
}

function rowsOf(tables: Manifest['tables'], name: string): number {
  return tables.find((table) => table.name === name)?.rows ?? 0
}
