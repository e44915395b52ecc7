import type { Manifest } from '@purser/server'

/** What a backup contains, in a few lines. */
export function toManifestText(manifest: Manifest): string {
  const { tables, organizations, auditHeads, createdAt, version, migrations, masterKeys } = manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const counts = [
    counted(organizations.length, 'organization'),
    counted(rowsOf(tables, 'transactions'), 'transaction'),
    counted(rows, 'row'),
  ]
  const key =
    masterKeys.current === null ? '' : ` Its secrets need the master key ${masterKeys.current}.`
  return [
    `${counts.join(', ')}, as of ${createdAt}.`,
    `Version ${version}, ${counted(migrations.length, 'migration')}, ${counted(auditHeads.length, 'signed audit log')}.${key}`,
  ].join('\n')
}

function rowsOf(tables: Manifest['tables'], name: string): number {
  return tables.find((table) => table.name === name)?.rows ?? 0
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
