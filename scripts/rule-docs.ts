import type { RuleDefinition } from '../packages/server/src/core/rules/define-rule.ts'
import { RULES } from '../packages/server/src/core/rules/kinds/index.ts'

interface Setting {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly items?: Setting
}

export function createRuleDocs(): string {
  return `# Rules

Generated from \`packages/server/src/core/rules/\`, in the order in which findings are reported. A mandate
holds up to 64 rules; all of them must pass, and all of them are looked at on every spend, so that the
answer names everything that stands in the way. Every rule also takes

- \`id\`: names the rule in findings; made from the type when it is not given (\`limit\`, \`limit-2\`, …).
- \`effect\`: what happens when the rule fails: \`reject\`, \`require_approval\` or \`flag\`.

The budget of the mandate is always judged and is not a rule.

An approval by a person cannot be given yet: a spend that needs one is rejected with the code
\`approval_required\`, and \`evaluationDetails.approval\` is null.

${RULES.map(section).join('\n')}`
}

function section({ type, summary, effects, settings }: RuleDefinition): string {
  const rows = Object.entries<Setting & { '~optional'?: true }>(settings).map(([name, setting]) => {
    const example = setting.examples?.[0]
    const shown = example === undefined ? '' : `\`${JSON.stringify(example)}\``
    return `| \`${name}\` | ${kindOf(setting)} | ${setting.description ?? ''} | ${shown} |`
  })
  const table =
    rows.length === 0
      ? 'It has no settings.\n'
      : `| Setting | Kind | Meaning | Example |\n|---|---|---|---|\n${rows.join('\n')}\n`
  return `## \`${type}\`\n\n${summary} By default a failure means \`${effects[0]}\`.\n\n${table}`
}

function kindOf(setting: Setting): string {
  if (setting.enum) return setting.enum.map((value) => `\`${value}\``).join(', ')
  if (setting.items) return `list of ${kindOf(setting.items)}`
  return setting.type ?? 'value'
}
