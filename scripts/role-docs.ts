import { hasScope, SCOPES } from '../packages/server/src/core/api-key.ts'
import { ROLE_NAMES, ROLES, type Role, scopesOf } from '../packages/server/src/core/people/role.ts'

const MANAGES = {
  everyone: 'everyone',
  all_but_owners: 'everyone except owners',
  nobody: 'no one',
}

export function createRoleDocs(): string {
  return `# Roles

Generated from \`packages/server/src/core/people/role.ts\`. [guide-people.md](guide-people.md) shows
how members get a role and how to change it.

| Role | Manages | Description |
|---|---|---|
${ROLE_NAMES.map((role) => row([`\`${role}\``, MANAGES[ROLES[role].manages], ROLES[role].summary])).join('\n')}

A member who manages others can invite and remove them, change their role, and create
password-reset links for them. API keys cannot do this; there is no scope for it.

At the endpoints of the API, the role of a member determines the member's scopes, as listed below.
Each endpoint in \`openapi.json\` names the scope that it needs.

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
