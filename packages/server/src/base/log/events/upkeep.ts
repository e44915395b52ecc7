import { defineEvents } from '../define-events.ts'

/** Retention and housekeeping. */
export const UPKEEP_EVENTS = defineEvents({
  'retention.removed': {
    level: 'info',
    message: 'Removed data past its retention.',
    meaning: 'The fields count the rows of each kind that the organization no longer keeps.',
    action: 'Nothing.',
  },
  'retention.partition_dropped': {
    level: 'info',
    message: 'Dropped a partition that was empty.',
    meaning: 'All rows of an old month were past their retention. `name` is its table.',
    action: 'Nothing.',
  },
  'retention.partition_busy': {
    level: 'info',
    message: 'An empty partition is locked; will drop it in a later round.',
    meaning: 'Another transaction uses the table `name`.',
    action: 'Nothing, unless it repeats for days: then look for long transactions.',
  },
  'retention.scan_failed': {
    level: 'error',
    message: 'Could not list the retention periods of organizations; retrying in 10 min.',
    meaning: 'Data past its retention stays until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'retention.removal_failed': {
    level: 'error',
    message: 'Could not remove data past its retention; retrying in the next round.',
    meaning: 'The data of this organization stays. Other organizations are not affected.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'housekeeping.round_failed': {
    level: 'error',
    message: 'Housekeeping failed; retrying in the next round.',
    meaning:
      'Depending on the step that failed, expired rows stay (they are never read), or partitions of coming months or database statistics are late.',
    action: 'Check the database if it repeats: partitions must exist before their month begins.',
  },
})
