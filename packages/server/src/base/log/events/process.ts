import { defineEvents } from '../define-events.ts'

/** Start, settings and stop. */
export const PROCESS_EVENTS = defineEvents({
  'process.starting': {
    level: 'info',
    message: 'Starting Purser.',
    meaning: 'The settings are valid, and the gateway opens its storage.',
    action: 'Wait for `process.listening`.',
  },
  'process.database_creating': {
    level: 'info',
    message: 'This is the first start: creating the database, which takes a few seconds.',
    meaning: 'The data folder has no embedded database yet.',
    action:
      'Wait for `process.listening`. If you expected your data, stop the gateway and check PURSER_DATA_DIR.',
  },
  'process.listening': {
    level: 'info',
    message: 'Purser listens on {url}  (API: {url}/api/v1, OpenAPI document: {url}/openapi.json)',
    meaning: 'The gateway answers requests.',
    action: 'Nothing.',
  },
  'process.metrics_listening': {
    level: 'info',
    message: 'Metrics for Prometheus: {url}',
    meaning: 'PURSER_METRICS_PORT is set, and the gateway serves its metrics there.',
    action: 'Nothing.',
  },
  'metrics.read_failed': {
    level: 'warn',
    message:
      'Could not read the figures of the database for the metrics; retrying at the first scrape after 10 s.',
    meaning:
      'The page shows the figures of the last reading for two minutes, and then leaves them out. All other metrics are current.',
    action: 'Check the database if it repeats.',
  },
  'process.worker_ended': {
    level: 'error',
    message: 'Worker {worker} ended ({reason}); a new one starts in {seconds} s.',
    meaning:
      'A process of `purser serve --workers` ended while the gateway runs. The other workers serve. The pause grows while new workers end quickly.',
    action:
      'Read the lines of the process with this `pid` before this one. If `reason` is SIGKILL, check whether the machine ran out of memory.',
  },
  'process.worker_replaced': {
    level: 'info',
    message: 'Worker {worker} serves in place of an ended one.',
    meaning: 'As many workers serve again as the start asked for, unless a different one ended.',
    action: 'Nothing.',
  },
  'tracing.unavailable': {
    level: 'warn',
    message: 'Traces are off: their packages could not be loaded. Run: npm install {packages}',
    meaning:
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the optional packages are missing or do not fit. The gateway runs without traces.',
    action: 'Install the packages beside Purser and restart, or unset the setting.',
  },
  'process.console_missing': {
    level: 'warn',
    message:
      'The console is not built, so the gateway serves no pages. Run `npm run build` and restart.',
    meaning: 'The package has no built console in `folder`. The API works without it.',
    action: 'Build the console, or set PURSER_CONSOLE=off if you do not want it.',
  },
  'process.organization_created': {
    level: 'info',
    message: 'Created the first organization. Its API key is in {keyFile}',
    meaning: 'The database was empty. Only the user of the process can read the file.',
    action: 'Keep the key in your secret store, then delete the file.',
  },
  'process.organization_missing': {
    level: 'info',
    message: 'No organization exists yet. To create the first one, {how}.',
    meaning: 'The gateway runs, but no key exists that could call it.',
    action: 'Create an organization as the message says.',
  },
  'process.owner_missing': {
    level: 'info',
    message:
      'No member can sign in yet. To create the first owner, open `/setup` and paste the token from {setupFile}.',
    meaning: 'The organization has no member.',
    action:
      'Create the first owner (docs/guide-people.md shows how without the console), or ignore the line if only API keys use the gateway.',
  },
  'process.first_steps': {
    level: 'info',
    message: 'To create a first agent, mandate and spend, paste this into another terminal:',
    meaning: 'In development, the field `shell` has commands that make a first spend.',
    action: 'Run the commands, or ignore them.',
  },
  'process.first_key': {
    level: 'info',
    message: 'To use the first API key, paste this into another terminal:',
    meaning: 'In development, the field `shell` has the command that exports the first key.',
    action: 'Run the command, or ignore it.',
  },
  'process.setting_unknown': {
    level: 'warn',
    message: '{name} is not a setting; starting without it. {hint}',
    meaning:
      'A variable of the environment begins with PURSER_, and this version has no such setting.',
    action: 'Correct or remove the variable.',
  },
  'process.embedded_database_unused': {
    level: 'warn',
    message:
      'DATABASE_URL is set, so Purser ignores the embedded database in {dataDir} and copies nothing from it. Unset DATABASE_URL to use it; if its data was moved to DATABASE_URL, delete the folder db in it; or set PURSER_DATA_DIR to another folder.',
    meaning: 'The data folder has a database, and the gateway uses PostgreSQL instead.',
    action: 'Unset DATABASE_URL if you meant the embedded database.',
  },
  'process.file_exposed': {
    level: 'warn',
    message: 'Other users of this machine can read {path}. Run:  {command}',
    meaning: 'A file with a secret has permissions that are too wide.',
    action: 'Run the command. If others may have read the file, replace the secret.',
  },
  'process.draining': {
    level: 'info',
    message:
      'Received a stop signal. /readyz now fails, and requests are still answered for {seconds} s.',
    meaning: 'The gateway waits until load balancers stop sending requests, then stops.',
    action: 'Nothing. A second signal ends the process at once.',
  },
  'process.stopped': {
    level: 'info',
    message: 'Stopped.',
    meaning: 'All accepted requests were answered (`answered` counts those of the drain).',
    action: 'Nothing.',
  },
  'process.control_unavailable': {
    level: 'warn',
    message:
      'Could not open the socket for operator commands in the data folder; running without it.',
    meaning: '`purser backup` cannot reach this gateway. Decisions are not affected.',
    action: 'Check that the file system of the data folder supports sockets; restart the gateway.',
  },
})
