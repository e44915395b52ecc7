import { hasScope, SCOPES } from '../packages/server/src/core/api-key.ts'
import { ROLE_NAMES, ROLES, type Role, scopesOf } from '../packages/server/src/core/people/role.ts'

const MANAGES = { everyone: 'everyone', all_but_owners: 'all but owners', nobody: 'nobody' }

export function createRoleDocs(): string {
  return `# Roles

Generated from \`packages/server/src/core/people/role.ts\`. [guide-people.md](guide-people.md) says how people get and change them.

| Role | Manages | In short |
|---|---|---|
${ROLE_NAMES.map((role) => row([`\`${role}\``, MANAGES[ROLES[role].manages], ROLES[role].summary])).join('\n')}

To manage means to invite, to change the role, to remove, and to make a link for another password. It is no scope: no API key can do it.

At the API's endpoints a member may do what the scopes of the role allow, just as a key may do what its scopes allow. Each endpoint in \`openapi.json\` names
the scope that it needs.

${row(['Scope', ...ROLE_NAMES.map((role) => `\`${role}\``)])}
${row(['---', ...ROLE_NAMES.map(() => '---')])}
${SCOPES.map((scope) => row([`\`${scope}\``, ...ROLE_NAMES.map((role) => mark(role, scope))])).join('\n')}
`
}

function mark(role: Role, scope: (typeof SCOPES)[number]): string {
  return hasScope({ scopes: scopesOf(role) }, scope) ? 'yes' : ''
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
