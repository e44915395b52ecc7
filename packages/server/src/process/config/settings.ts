import type { SettingGroup, Settings } from '../../base/setting.ts'
import { PATHS } from '../../paths/index.ts'
import type { PaymentPath } from '../../paths/path.ts'
import { MAIL_SETTINGS } from './mail-settings.ts'

/** Every setting that belongs to no single payment path. */
export const SETTINGS = {
  PURSER_ENV: {
    description:
      'Either `development` or `production`. API keys begin with `psr_test_` in development and with `psr_live_` in production. Production requires a master key, refuses insecure settings and creates no organization by itself.',
    default: 'development',
    example: 'production',
    guide: 'guide-operations.md#production',
  },
  PURSER_INIT_ORG: {
    description:
      'Name of the organization that the first start creates when the database has none. The gateway stores its API key in the file `initial-api-key` in the data folder, unless `PURSER_INIT_API_KEY` is set.',
    default: 'My organization',
    defaultNote: 'none in production',
    example: 'My company',
    isInitial: true,
    guide: 'guide-operations.md#set-up-without-a-browser',
  },
  PURSER_INIT_ADMIN_EMAIL: {
    description:
      'E-mail address of the first owner, whom the start that creates the organization adds. It needs `PURSER_INIT_ADMIN_PASSWORD`.',
    example: 'ada@example.com',
    isInitial: true,
    guide: 'guide-operations.md#set-up-without-a-browser',
  },
  PURSER_INIT_ADMIN_PASSWORD: {
    description: 'Password of the first owner, at least 12 characters.',
    // Never a real password: a reader might paste it.
    example: '$(openssl rand -base64 24)',
    isSecret: true,
    isInitial: true,
    guide: 'guide-operations.md#set-up-without-a-browser',
  },
  PURSER_INIT_API_KEY: {
    description:
      'First API key of the organization, with all scopes. `npx purser keys generate` prints one. The gateway then writes no file `initial-api-key`.',
    example: '$(npx purser keys generate)',
    isSecret: true,
    isInitial: true,
    guide: 'guide-operations.md#set-up-without-a-browser',
  },
  DATABASE_URL: {
    description:
      'PostgreSQL 15 or newer, used instead of the embedded database. Each gateway process opens up to 32 connections. Set the same value in every process.',
    defaultNote: 'the embedded database',
    example: 'postgres://user:password@host:5432/database',
    isSecret: true,
    // The path is the name of the database.
    showsUrl: 'path',
    guide: 'guide-operations.md#production',
  },
  PURSER_DATA_DIR: {
    description:
      'Folder of the embedded database, the generated master key, the first API key and the setup token of the first owner. One process at a time can use it.',
    default: './.purser',
    example: '/var/lib/purser',
  },
  PURSER_FREE_SPACE_MIN_MB: {
    description:
      'The embedded database refuses new spends and changes with 503 `storage_full` while its disk has less free space than this, in megabytes. `0` turns the check off.',
    default: '256',
    example: '1024',
  },
  PURSER_MASTER_KEY: {
    description:
      'Encrypts the secrets in the database: 32 random bytes in base64 or hexadecimal, as in the example. Set the same value in every process.',
    defaultNote: 'generated in the data folder; required in production',
    // Never a real key: a reader might paste it.
    example: '$(openssl rand -base64 32)',
    isSecret: true,
  },
  PURSER_MASTER_KEY_PREVIOUS: {
    description:
      'The previous master key, during a rotation. `purser rotate-master-key --help` lists the steps.',
    example: '$OLD_MASTER_KEY',
    isSecret: true,
    guide: 'guide-operations.md#rotate-the-master-key',
  },
  PURSER_HEADS_FILE: {
    description:
      'File outside the database in which the gateway keeps the signed heads of the audit logs. A start that finds the store behind one closes the store: it was put back to an earlier time. Give each gateway machine its own file.',
    defaultNote: 'none',
    example: '/var/lib/purser-heads/heads.json',
    guide: 'guide-operations.md#pg_dump-and-point-in-time-recovery',
  },
  PURSER_HOST: {
    description: 'Address that the gateway listens on. It speaks plain HTTP.',
    default: '127.0.0.1',
    example: '0.0.0.0',
    guide: 'guide-operations.md#behind-a-proxy',
  },
  PURSER_PORT: {
    description: 'Port that the gateway listens on. `0` takes a free port.',
    default: '3000',
    example: '8080',
  },
  PURSER_PUBLIC_URL: {
    description:
      'Public origin of the gateway, without a path; https in production. Mandate tokens name it as their issuer.',
    defaultNote: '`http://localhost:<port>`; none in production',
    example: 'https://gateway.example',
    guide: 'guide-mandate-tokens.md',
  },
  PURSER_CONSOLE: {
    description:
      'Either `on` or `off`. `off` serves no web console: `/` and its other pages return 404. The API and `/console/api` stay.',
    default: 'on',
    example: 'off',
  },
  PURSER_TRUSTED_PROXIES: {
    description:
      'CIDR ranges of your reverse proxies. The gateway trusts `X-Forwarded-For` only from these. Without this setting, all sign-ins through a proxy count against the address of the proxy, and one attacker can lock everyone out.',
    example: '10.20.0.0/16, fd00:12::/32',
    guide: 'guide-operations.md#behind-a-proxy',
  },
  PURSER_DRAIN_SECONDS: {
    description:
      'Seconds for which the gateway still answers requests after SIGTERM or SIGINT, while `/readyz` returns 503.',
    default: '5',
    defaultNote: '`0` in development on a terminal',
    example: '20',
  },
  PURSER_ALLOW_LOOPBACK: {
    description:
      'Allows webhooks to the machine of the gateway, and calls to vendors on it. It cannot be `true` in production.',
    default: 'true',
    defaultNote: '`false` in production',
    example: 'false',
  },
  PURSER_ALLOW_NETWORKS: {
    description:
      'Private networks that webhooks and vendor calls may reach, as CIDR ranges. In production the gateway refuses ranges that contain loopback or cloud-metadata addresses.',
    example: '10.20.0.0/16, fd00:12::/32',
  },
  PURSER_WEBHOOK_RETRY_DELAYS: {
    description: 'Delays before the retries of a failed webhook delivery, at most 20.',
    default: '5s, 30s, 3m, 18m',
    example: '10s, 1m, 1h',
    guide: 'guide-webhooks.md',
  },
  ...MAIL_SETTINGS,
  PURSER_LOG_LEVEL: {
    description:
      'One of `trace`, `debug`, `info`, `warn`, `error`, `fatal` and `silent`. `debug` adds one line for each request, and stack traces.',
    default: 'info',
    example: 'warn',
  },
  PURSER_LOG_DECISIONS: {
    description:
      'Logs one line for each decision: agent, decision, code, amount, path and the duration in milliseconds. Logging a decision takes more CPU than making it, so leave it off under load.',
    default: 'false',
    defaultNote: '`true` in development on a terminal',
    example: 'true',
  },
  PURSER_METRICS_PORT: {
    description:
      'Port that serves metrics for Prometheus at `/metrics`. `0` takes a free port. Without this setting the gateway serves and measures none.',
    example: '9464',
    guide: 'guide-operations.md#metrics',
  },
  PURSER_METRICS_HOST: {
    description:
      'Address that the metrics are served on. Metrics need no key, so use an address that only your monitoring can reach.',
    default: '127.0.0.1',
    example: '10.20.0.5',
    guide: 'guide-operations.md#metrics',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description:
      'Address of an OpenTelemetry collector that accepts OTLP over HTTP. The gateway sends traces to `/v1/traces` there. It needs optional packages, which the log names if they are missing.',
    example: 'http://127.0.0.1:4318',
    isSecret: true,
    showsUrl: 'path',
    guide: 'guide-operations.md#traces',
  },
  OTEL_SERVICE_NAME: {
    description: 'Name of the gateway in traces.',
    default: 'purser',
    example: 'purser-eu',
    guide: 'guide-operations.md#traces',
  },
  PURSER_TRACE_VENDORS: {
    description:
      'Sends the header `traceparent` to vendors, merchants and token providers too. Receivers of webhooks always get it while traces are on.',
    default: 'false',
    example: 'true',
    guide: 'guide-operations.md#traces',
  },
  PURSER_COMMIT: {
    description:
      'Commit that the program was built from, for `/version`. An image sets it when it is built.',
    example: 'a9aa38e',
    guide: 'guide-operations.md#health-checks',
  },
  PURSER_IN_FLIGHT_PER_ORG: {
    description:
      'Concurrent requests of one organization in one process. Requests beyond it get 503 `overloaded`.',
    default: '1024',
    example: '2000',
    guide: 'limits.md',
  },
  PURSER_IN_FLIGHT_PER_KEY: {
    description:
      'Concurrent requests of one API key in one process. Requests beyond it get 429 `rate_limited`.',
    default: '512',
    example: '1000',
    guide: 'limits.md',
  },
  PURSER_REQUESTS_PER_MINUTE: {
    description: 'Requests per minute for each API key on the plan `self_hosted`.',
    defaultNote: 'unlimited',
    example: '600',
    guide: 'limits.md',
  },
  PURSER_BATCH_SIZE_MAX: {
    description:
      'Spends that one database transaction decides at most, from 1 to 256. Only spends that arrive while earlier ones are decided, or just after them, share a transaction, so a lower number makes a busy gateway slower and an idle one no faster.',
    default: '256',
    example: '64',
  },
} as const satisfies Settings

type Name = keyof typeof SETTINGS

const GROUPS: readonly (readonly [title: string, names: readonly Name[]])[] = [
  [
    'Installation',
    [
      'PURSER_ENV',
      'PURSER_INIT_ORG',
      'PURSER_INIT_ADMIN_EMAIL',
      'PURSER_INIT_ADMIN_PASSWORD',
      'PURSER_INIT_API_KEY',
    ],
  ],
  [
    'Database and secrets',
    [
      'DATABASE_URL',
      'PURSER_DATA_DIR',
      'PURSER_FREE_SPACE_MIN_MB',
      'PURSER_MASTER_KEY',
      'PURSER_MASTER_KEY_PREVIOUS',
      'PURSER_HEADS_FILE',
    ],
  ],
  [
    'Network',
    [
      'PURSER_HOST',
      'PURSER_PORT',
      'PURSER_PUBLIC_URL',
      'PURSER_CONSOLE',
      'PURSER_TRUSTED_PROXIES',
      'PURSER_DRAIN_SECONDS',
    ],
  ],
  [
    'Outbound calls',
    ['PURSER_ALLOW_LOOPBACK', 'PURSER_ALLOW_NETWORKS', 'PURSER_WEBHOOK_RETRY_DELAYS'],
  ],
  ['Messages', ['PURSER_SMTP_URL', 'PURSER_MAIL_FROM']],
  ['Logging', ['PURSER_LOG_LEVEL', 'PURSER_LOG_DECISIONS']],
  [
    'Monitoring',
    [
      'PURSER_METRICS_PORT',
      'PURSER_METRICS_HOST',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_SERVICE_NAME',
      'PURSER_TRACE_VENDORS',
      'PURSER_COMMIT',
    ],
  ],
  [
    'Limits',
    [
      'PURSER_IN_FLIGHT_PER_ORG',
      'PURSER_IN_FLIGHT_PER_KEY',
      'PURSER_REQUESTS_PER_MINUTE',
      'PURSER_BATCH_SIZE_MAX',
    ],
  ],
]

/** Every setting of the gateway and of its payment paths, in the order of docs/settings.md. */
export function listSettings(paths: readonly PaymentPath[] = PATHS): SettingGroup[] {
  return [
    ...GROUPS.map(([title, names]) => ({
      title,
      settings: Object.fromEntries(names.map((name) => [name, SETTINGS[name]])),
    })),
    ...paths.flatMap(({ settings }) => settings?.group ?? []),
  ]
}
