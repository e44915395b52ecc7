import type { Column, Partition } from '../../storage/backup/catalog.ts'
import type { AppliedMigration } from '../../storage/backup/facts.ts'

/*
 * A backup is one gzip file of lines, each a JSON value (ADR 59):
 *
 *   {"purserBackup":1}                                    the first line
 *   {"table":"agents","columns":[{"name":"id",…},…]}      a table begins
 *   ["018f…","Shopper",null]                              its rows: values as PostgreSQL writes them
 *   {"manifest":{…}}                                      after the last table
 *   {"sha256":"…"}                                        the hash of all bytes before this line
 */

export const FORMAT = 1

export interface TableHead {
  readonly table: string
  readonly columns: readonly Column[]
}

/** A table of the backup. The hash covers its lines, from its head to its last row. */
export interface TableSum {
  readonly name: string
  readonly rows: number
  readonly sha256: string
}

export interface Manifest {
  /** The version of the program that wrote the file. */
  readonly version: string
  /** The database's time at the start of the snapshot. */
  readonly createdAt: string
  readonly engine: 'embedded' | 'postgres'
  /** True if the source was closed for good, so that the restored store may open at once. */
  readonly isMove: boolean
  readonly migrations: readonly AppliedMigration[]
  /** The ids of the master keys that the sealed values need. The keys are not in the file. */
  readonly masterKeys: {
    readonly current: string | null
    /** Set during a rotation of the master key. */
    readonly previous: string | null
  }
  readonly organizations: readonly { readonly id: string; readonly name: string }[]
  readonly auditHeads: readonly {
    readonly organizationId: string
    readonly size: number
    readonly note: string
  }[]
  readonly partitions: readonly Partition[]
  readonly tables: readonly TableSum[]
}
