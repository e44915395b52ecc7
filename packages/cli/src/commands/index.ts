import type { Command } from 'commander'

/**
 * Adds the arguments, options, subcommands and the action of a command. `loadAll` returns the whole
 * command line, which only a few commands need.
 */
export type Define = (command: Command, loadAll: () => Promise<Command>) => void

/** A command as the list of all commands shows it. Its module is loaded only if it is named. */
export interface ListedCommand {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<Define>
}

/** Commands with one heading in the list. */
export interface CommandGroup {
  readonly heading: string
  readonly commands: readonly ListedCommand[]
}

/** All commands, in the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  {
    heading: 'Commands that call a gateway, with an API key:',
    commands: [
      {
        name: 'login',
        description: 'store an API key and the URL of its gateway as a profile',
        load: async () => (await import('./login.ts')).login,
      },
      {
        name: 'logout',
        description: 'remove a stored profile',
        load: async () => (await import('./login.ts')).logout,
      },
      {
        name: 'evaluate',
        description: 'request a decision on a spend, and show the findings',
        load: async () => (await import('./evaluate.ts')).evaluate,
      },
      {
        name: 'pay',
        description: 'fetch a URL, and pay for it by x402 within the mandate',
        load: async () => (await import('./pay.ts')).pay,
      },
      {
        name: 'tail',
        description: 'follow the decisions as they happen',
        load: async () => (await import('./tail.ts')).tail,
      },
      {
        name: 'agents',
        description: 'list, create, pause and resume agents',
        load: async () => (await import('./agents.ts')).agents,
      },
      {
        name: 'mandates',
        description: 'show and change mandates; test and apply mandate files',
        load: async () => (await import('./mandates.ts')).mandates,
      },
      {
        name: 'backtest',
        description: 'replay earlier spends with other rules, and show the decisions that change',
        load: async () => (await import('./backtest.ts')).backtest,
      },
      {
        name: 'transactions',
        description: 'list, explain, settle, void, refund and export transactions',
        load: async () => (await import('./transactions.ts')).transactions,
      },
      {
        name: 'approvals',
        description: 'list and decide approval requests',
        load: async () => (await import('./approvals.ts')).approvals,
      },
      {
        name: 'webhooks',
        description: 'show and resend webhook deliveries, send test events, rotate the secret',
        load: async () => (await import('./webhooks.ts')).webhooks,
      },
      {
        name: 'tokens',
        description: 'issue, check and revoke mandate tokens',
        load: async () => (await import('./tokens.ts')).tokens,
      },
      {
        name: 'freeze',
        description: 'freeze the organization: the gateway rejects every spend',
        load: async () => (await import('./organization.ts')).freeze,
      },
      {
        name: 'resume',
        description: 'end a freeze of the organization',
        load: async () => (await import('./organization.ts')).resume,
      },
      {
        name: 'usage',
        description: 'show the use of the plan',
        load: async () => (await import('./organization.ts')).usage,
      },
      {
        name: 'openapi',
        description: 'print the OpenAPI document of a gateway',
        load: async () => (await import('./openapi.ts')).openapi,
      },
      {
        name: 'listen',
        description: 'forward events to a local URL as they happen, signed like webhooks',
        load: async () => (await import('./listen.ts')).listen,
      },
      {
        name: 'mcp',
        description: 'serve the tools for models to an MCP client, over stdin and stdout',
        load: async () => (await import('./mcp.ts')).mcp,
      },
      {
        name: 'trigger',
        description: 'send test requests to a gateway',
        load: async () => (await import('./trigger.ts')).trigger,
      },
    ],
  },
  {
    heading: 'Commands that run a gateway on this machine:',
    commands: [
      {
        name: 'serve',
        description: 'start the gateway; `purser settings` lists its environment variables',
        load: async () => (await import('./serve.ts')).serve,
      },
      {
        name: 'demo',
        description: 'start a gateway with 30 days of invented spends, and print a sign-in link',
        load: async () => (await import('./demo.ts')).demo,
      },
      {
        name: 'settings',
        description: 'list the environment variables that configure the gateway',
        load: async () => (await import('./settings.ts')).settings,
      },
      {
        name: 'config',
        description: 'show the effective settings and their sources, with secrets hidden',
        load: async () => (await import('./config.ts')).config,
      },
    ],
  },
  {
    heading: 'Commands for operators, which open the database:',
    commands: [
      {
        name: 'doctor',
        description: 'check the installation, and say what to do about each problem',
        load: async () => (await import('./doctor.ts')).doctor,
      },
      {
        name: 'init',
        description: 'create an organization and print its first API key (shown once)',
        load: async () => (await import('./init.ts')).init,
      },
      {
        name: 'orgs',
        description: 'list organizations and change their plan (operator only)',
        load: async () => (await import('./orgs.ts')).orgs,
      },
      {
        name: 'keys',
        description:
          'create API keys directly in the database, for example after the last one was lost',
        load: async () => (await import('./keys.ts')).keys,
      },
      {
        name: 'changes',
        description: 'show who changed what in an organization',
        load: async () => (await import('./changes.ts')).changes,
      },
      {
        name: 'analytics',
        description: 'manage the spend totals of analytics',
        load: async () => (await import('./analytics.ts')).analytics,
      },
      {
        name: 'members',
        description: 'manage members',
        load: async () => (await import('./members.ts')).members,
      },
      {
        name: 'backup',
        description: 'write the whole store to a file, while gateways run',
        load: async () => (await import('./backup.ts')).backup,
      },
      {
        name: 'restore',
        description: 'read a backup into an empty store of either engine',
        load: async () => (await import('./restore.ts')).restore,
      },
      {
        name: 'migrate',
        description: 'apply migrations; distribute the store over several machines, or undo that',
        load: async () => (await import('./migrate.ts')).migrate,
      },
      {
        name: 'rotate-master-key',
        description: 're-encrypt all stored secrets with a new master key',
        load: async () => (await import('./rotate-master-key.ts')).rotateMasterKey,
      },
      {
        name: 'rotate-signing-key',
        description:
          'rotate the key that signs mandate tokens; the old one stays published for a while',
        load: async () => (await import('./rotate-signing-key.ts')).rotateSigningKey,
      },
      {
        name: 'rotate-log-key',
        description: 'rotate the key that signs the audit logs; the old one overlaps for 30 days',
        load: async () => (await import('./rotate-log-key.ts')).rotateLogKey,
      },
      {
        name: 'reconcile',
        description: 'compare the live tables of an organization with its audit log',
        load: async () => (await import('./reconcile.ts')).reconcile,
      },
    ],
  },
  {
    heading: 'Commands that work offline:',
    commands: [
      {
        name: 'verify',
        description: 'verify an exported audit log offline, with the public key alone',
        load: async () => (await import('./verify.ts')).verify,
      },
      {
        name: 'completion',
        description: 'print a script that completes commands and options in a shell',
        load: async () => (await import('./completion.ts')).completion,
      },
    ],
  },
]
