import type { Command } from 'commander'
import { loadServer } from '../packages.ts'
import { toName } from './name.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface Common {
  readonly org?: string
  readonly json?: true
}

interface InviteOptions extends Common {
  readonly owner?: true
  readonly role?: string
  readonly name?: string
}

interface Link {
  readonly email: string
  readonly role: string
  readonly token: string
  readonly expiresAt: string
}

const ORG = [
  '--org <organization>',
  'id of the organization, such as org_…; optional if there is only one',
] as const
const JSON_LINK = ['--json', 'print only the link, as JSON'] as const

/**
 * `purser members …`: manages the people who may sign in. Like init it opens the database itself,
 * so that an organization without any owner left is not lost. No gateway may use the embedded
 * database at the same time.
 */
export function members(command: Command): void {
  opensDatabase(command.command('list'), 'purser members list')
    .description('list the members, newest first')
    .option(...ORG)
    .option('--json', 'print only a JSON array')
    .action((options: Common) => list(options))
  opensDatabase(command.command('invite'), 'purser members invite ann@example.com --role admin')
    .description('invite a member and print the invitation token (shown once)')
    .argument('<email>', 'e-mail address for sign-in; gets a mail if PURSER_SMTP_URL is set')
    .option(...ORG)
    .option('--owner', 'the same as --role owner')
    .option('--role <role>', 'owner, admin, approver or viewer; default: viewer')
    .option('--name <name>', 'name of the person, who can change it later')
    .option(...JSON_LINK)
    .action((email: string, options: InviteOptions) => invite(email, options))
  opensDatabase(command.command('remove'), 'purser members remove ann@example.com')
    .description('remove a member and end their sessions')
    .argument('<email>', 'e-mail address of the member')
    .option(...ORG)
    .option('--json', 'print only JSON: {"email": …}')
    .action((email: string, options: Common) => remove(email, options))
  opensDatabase(command.command('reset-link'), 'purser members reset-link ann@example.com')
    .description('create a password-reset token for a member and print it (shown once)')
    .argument('<email>', 'e-mail address of the member')
    .option(...ORG)
    .option(...JSON_LINK)
    .action((email: string, options: Common) => resetLink(email, options))
}

type Server = typeof import('@purser/server')
type Storage = Awaited<ReturnType<Server['openExistingStorage']>>

/**
 * Checks the arguments before it opens the storage, so that a mistake is reported without a
 * database. Imports the server only here, because the help does not need it.
 */
async function onStorage<Checked, T>(
  org: string | undefined,
  check: (server: Server) => Checked,
  run: (server: Server, storage: Storage, checked: Checked) => Promise<T>,
): Promise<T> {
  const server = await loadServer()
  if (org !== undefined) server.toOrganizationId(org)
  const checked = check(server)
  const storage = await server.openExistingStorage(server.readConfig(process.env), toStandardError)
  try {
    return await run(server, storage, checked)
  } finally {
    await storage.db.close()
  }
}

async function list({ org: organizationId, json }: Common): Promise<void> {
  const all = await onStorage(
    organizationId,
    () => undefined,
    (server, storage) => server.readMembers(storage, { organizationId }),
  )
  const lines = all.map(({ id, role, email, name }) =>
    [id, role.padEnd(ROLE_WIDTH), toPrintable(email), toPrintable(name)].join('  '),
  )
  if (json) process.stdout.write(`${JSON.stringify(all)}\n`)
  else process.stdout.write(lines.length === 0 ? 'No members yet.\n' : `${lines.join('\n')}\n`)
}

const ROLE_WIDTH = 'approver'.length

/** Replaces control characters, so that a name cannot change how the terminal shows other names. */
function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}

async function invite(email: string, options: InviteOptions): Promise<void> {
  const { org: organizationId, owner, role: named, name: text, json } = options
  if (owner && named !== undefined) throw new Error('Use either --owner or --role, not both.')
  const name = text === undefined ? null : toName(text, 'member')
  const link = await onStorage(
    organizationId,
    (server) => {
      server.readAddress(email)
      return owner ? 'owner' : server.readRole(named ?? 'viewer')
    },
    (server, storage, role) => {
      const sendsMail = server.readConfig(process.env).smtp !== undefined
      const mail = sendsMail ? server.mailInvitations(storage) : undefined
      return server.inviteMember(storage, { organizationId, email, role, name }, mail)
    },
  )
  const use = `To become a member with the role ${link.role}, ${link.email} sends the token and a password to POST /console/api/accept.`
  process.stdout.write(json ? `${JSON.stringify(link)}\n` : toMailText(link) + toText(link, use))
}

function toMailText({ email, mail }: Pick<Link, 'email'> & { readonly mail: string }): string {
  if (mail === 'queued') {
    return `A running gateway mails the invitation with its link to ${email} within seconds. If no mail arrives, use the token.\n\n`
  }
  if (mail === 'limited') {
    return `The invitation is not mailed: ${email} got 3 invitations within a day, or the organization mailed 200. Use the token.\n\n`
  }
  return ''
}

async function resetLink(email: string, { org: organizationId, json }: Common): Promise<void> {
  const link = await onStorage(
    organizationId,
    (server) => server.readAddress(email),
    (server, storage) => server.issueResetLink(storage, { organizationId, email }),
  )
  const use = `To set a new password, ${link.email} sends it with the token to POST /console/api/accept.`
  process.stdout.write(json ? `${JSON.stringify(link)}\n` : toText(link, use))
}

async function remove(email: string, { org: organizationId, json }: Common): Promise<void> {
  const removed = await onStorage(
    organizationId,
    (server) => server.readAddress(email),
    (server, storage) => server.dismissMember(storage, { organizationId, email }),
  )
  const text = json ? JSON.stringify({ email: removed }) : `${removed} is no longer a member.`
  process.stdout.write(`${text}\n`)
}

function toText({ token, expiresAt }: Link, use: string): string {
  return [
    use,
    '',
    `  token      ${token}`,
    `  expiresAt  ${expiresAt}`,
    '',
    'Send it over a private channel: it works once, and only its hash is stored.',
    '',
  ].join('\n')
}
