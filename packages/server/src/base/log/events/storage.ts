import { defineEvents } from '../define-events.ts'

/** The database and its disk. */
export const STORAGE_EVENTS = defineEvents({
  'storage.connection_failed': {
    level: 'error',
    message: 'A connection to the database failed; reconnecting.',
    meaning:
      'The first failure of an outage. Further failures are counted, and requests get 503 `storage_unavailable` until a connection works.',
    action: 'Check the database and the network if `storage.recovered` does not follow.',
  },
  'storage.outage_continues': {
    level: 'error',
    message: 'Connections to the database still fail; still reconnecting.',
    meaning: 'Reported once a minute, with the number of `failures` and `seconds` of the outage.',
    action: 'Check the database and the network.',
  },
  'storage.recovered': {
    level: 'info',
    message: 'The database answers again.',
    meaning: 'No connection has failed for two seconds. `seconds` is how long the outage took.',
    action: 'Nothing.',
  },
  'storage.node_away': {
    level: 'error',
    message:
      'A node of the distributed database does not answer; rejecting requests of its organizations with 503, and retrying every second.',
    meaning:
      'Requests of the organizations on this `node` get 503 `storage_unavailable` at once, until it answers. `cut` is how many statements were under way. Other organizations are not affected.',
    action: 'Check the node and its network if `storage.node_back` does not follow.',
  },
  'storage.node_back': {
    level: 'info',
    message: 'The node of the distributed database answers again.',
    meaning: 'The organizations on this `node` are served again.',
    action: 'Nothing.',
  },
  'storage.partitions_delayed': {
    level: 'warn',
    message:
      'The partitions of the coming months could not be created; the gateway starts without them.',
    meaning:
      'Creating a partition needs all nodes of a distributed database. Housekeeping tries again every ten minutes, and rows go into the default partition meanwhile.',
    action: 'Check the nodes if it repeats.',
  },
  'storage.notifications_lost': {
    level: 'warn',
    message: 'Lost the database connection for notifications; reconnecting.',
    meaning:
      'Processes notify each other of changed keys and sessions through this connection. Notifications sent meanwhile are lost, so the process empties its caches.',
    action: 'Check the network if it repeats. A pooler in transaction mode also breaks it.',
  },
  'storage.commits_not_synced': {
    level: 'warn',
    message: 'PostgreSQL does not sync commits to disk: a power cut can lose decisions.',
    meaning: '`fsync` or `synchronous_commit` is off.',
    action: 'Turn both on in PostgreSQL.',
  },
  'storage.disk_full': {
    level: 'error',
    message: 'The disk of the database is full; rejecting writes with 503 until it has room.',
    meaning: 'PostgreSQL could not write.',
    action: 'Free space on the disk of the database.',
  },
  'storage.disk_nearly_full': {
    level: 'error',
    message: 'The disk is nearly full; rejecting new work with 503 until it has room.',
    meaning:
      'The free space is below PURSER_FREE_SPACE_MIN_MB. The embedded database would stop in the middle of a write on a full disk, so the gateway refuses work before that.',
    action: 'Free space on the disk of the data folder.',
  },
  'storage.disk_freed': {
    level: 'info',
    message: 'The disk has enough free space again; accepting new work.',
    meaning: 'The end of `storage.disk_nearly_full`.',
    action: 'Nothing.',
  },
  'storage.disk_check_failed': {
    level: 'warn',
    message: 'Could not read the free space of the disk; retrying in 1 s.',
    meaning: 'Until it works, a disk that fills up is not noticed in time.',
    action: 'Check the file system of the data folder if it repeats.',
  },
  'storage.engine_stopped': {
    level: 'error',
    message: 'The embedded database stopped; the process ends. Free disk space if needed; restart.',
    meaning: 'The engine had a fatal error; `why` names it.',
    action: 'Let your supervisor restart the process. Restore a backup if it cannot start.',
  },
  'storage.prepared_damaged': {
    level: 'warn',
    message: 'The prepared empty database is damaged; creating a new one, which takes longer.',
    meaning: 'A file of the installed package is damaged. Your data is not affected.',
    action: 'Reinstall the package.',
  },
  'storage.maintenance_failed': {
    level: 'error',
    message: 'Maintenance of the embedded database failed; retrying in 1 s.',
    meaning: 'A checkpoint or a vacuum failed. Until one works the files only grow.',
    action: 'Check the disk if it repeats.',
  },
  'storage.transaction_ids_low': {
    level: 'warn',
    message: 'The embedded database is running out of transaction ids. Move to PostgreSQL.',
    meaning: 'Vacuums cannot keep up. Once no ids are left, the database refuses every write.',
    action: 'Move to PostgreSQL soon.',
  },
  'storage.last_use_failed': {
    level: 'warn',
    message: 'Could not store when API keys and agents were last used; these times are lost.',
    meaning: '`lastUsedAt` may be older than the last use. Nothing else depends on it.',
    action: 'Nothing, unless it repeats: then check the database.',
  },
  'storage.store_closed': {
    level: 'warn',
    message: 'The store is closed: {reason} Reads work; spends and changes get 503.',
    meaning:
      'The store was restored, was moved, or is older than a head in PURSER_HEADS_FILE. `state` says which. Nothing leaves it: no webhook, signature or completion.',
    action:
      'After a restore, stop the original and run `purser restore --finish`. After a move, use the new store.',
  },
  'storage.store_opened': {
    level: 'info',
    message: 'The store is open: spends and changes are accepted.',
    meaning: 'The end of `storage.store_closed`. This process noticed it within a second.',
    action: 'Nothing.',
  },
  'storage.store_check_failed': {
    level: 'warn',
    message: 'Could not read whether the store is open; retrying in 1 s.',
    meaning:
      'The process goes on with the last known state. The database refuses writes to a closed store by itself.',
    action: 'Check the database if it repeats.',
  },
})
