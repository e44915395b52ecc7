import { BUDGET_ID } from '../packages/server/src/core/rules/budget.ts'
import {
  EFFECT_MEANINGS,
  type RuleDefinition,
} from '../packages/server/src/core/rules/define-rule.ts'
import { RULES } from '../packages/server/src/core/rules/kinds/index.ts'
import { RULES_MAX } from '../packages/server/src/core/rules/rule-set.ts'
import { WARNING_CODES } from '../packages/server/src/core/rules/warnings.ts'
import { linkToCode } from './decision-docs.ts'
import { createExpressionDocs } from './expression-docs.ts'

const LINE_WIDTH = 100

interface Setting {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly items?: Setting
  readonly properties?: Readonly<Record<string, Setting>>
  readonly required?: readonly string[]
}

export function createRuleDocs(): string {
  return `# Rules

Generated from \`packages/server/src/core/rules/\`, in the order in which findings are reported. A mandate
holds up to ${RULES_MAX} rules; all of them must pass, and all of them are looked at on every spend, so that the
answer names everything that stands in the way. Every rule also takes

- \`id\`: names the rule in findings; made from the type when it is not given (\`limit\`, \`limit-2\`, …). No two rules
  of a mandate have the same, and \`${BUDGET_ID}\` is reserved: in findings it means the budget.
- \`effect\`: what happens when the rule fails: \`reject\`, \`require_approval\` or \`flag\`.

The budget of the mandate is always judged and is not a rule.

A rule judges and counts the spends of its own mandate and of all mandates below it.

A rule that is added to a running mandate, or widened, knows the past. This concerns [\`limit\`](#limit), [\`duplicate\`](#duplicate),
[\`new_vendor\`](#new_vendor), [\`price_drift\`](#price_drift) and what an [\`expression\`](#expression) counts. A past of more than some thousand
transactions is looked up in the background, within seconds; until then the rule lets nothing through that it would have to know about, and
the answer to the change warns of it.

A spend that needs a person is rejected with the code \`approval_required\`, and \`evaluationDetails.approval\` names the
request that a person answers; [guide-approvals.md](guide-approvals.md) shows how.

A rule that fails says so with a code; [decisions.md](decisions.md) explains each and what to do about it. A rule that
cannot be judged fails as well, with the code [\`rule_error\`](decisions.md#rule_error).

## Effects

| Effect | What happens when the rule fails |
|---|---|
${Object.entries(EFFECT_MEANINGS)
  .map(([effect, meaning]) => `| \`${effect}\` | ${meaning} |`)
  .join('\n')}

A spend is rejected if one rule rejects it, whatever the others say.

## Sub-mandates

The rules of all mandates above are judged on every spend as well, so a sub-mandate need not repeat them. When it is
written, each of its rules is compared with the rules of the same type in the mandates above. A rule that allows more
is refused with [\`mandate_wider_than_parent\`](errors.md). Rules above are compared only if their effect is at least as strict;
\`reject\` is the strictest, then \`require_approval\`, then \`flag\`. What is compared stands with each rule below.

## Warnings

What is valid and hardly meant, or what takes a while, is told in \`warnings\` of the answer to a change of a mandate, with the ids of
the rules concerned. They stop nothing. Decide by \`code\`; more codes may come.

| Code | Meaning |
|---|---|
${Object.entries(WARNING_CODES)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}

${RULES.map(section).join('\n')}
${createExpressionDocs()}`
}

function section(definition: RuleDefinition): string {
  const { type, summary, effects, settings, codes, examples } = definition
  const [first, ...others] = effects.map((effect) => `\`${effect}\``)
  const meaning =
    others.length === 0
      ? `A failure always means ${first}.`
      : `By default a failure means ${first}; it may also mean ${others.join(' or ')}.`
  const links = Object.values(codes).map((code) => linkToCode(code, 'decisions.md'))
  return `## \`${type}\`

${summary} ${meaning}

${settingsTable(settings)}
${notesOf(definition)}Codes: ${links.join(', ')}.

${examples.map(({ says, rule }) => example(says, { type, ...rule })).join('\n')}`
}

function notesOf({ notes = [], narrower }: RuleDefinition): string {
  const place = narrower ?? 'it is not compared with those above.'
  return `${[...notes, `In a sub-mandate: ${place}`].map((note) => `- ${note}`).join('\n')}\n\n`
}

function settingsTable(settings: RuleDefinition['settings']): string {
  const rows = Object.entries<Setting & { '~optional'?: true }>(settings).flatMap(
    ([name, setting]) => rowsOf(name, setting, setting['~optional'] !== true),
  )
  if (rows.length === 0) return 'It has no settings.\n'
  return `| Setting | Kind | Required | Meaning | Example |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
}

/** A setting, and then the settings inside it: \`match.vendor\`, \`windows[].from\`. */
function rowsOf(name: string, setting: Setting, isRequired: boolean): string[] {
  const shown = setting.examples?.[0] ?? setting.enum?.[0]
  const row = [
    `\`${name}\``,
    kindOf(setting),
    isRequired ? 'yes' : 'no',
    setting.description ?? '',
    shown === undefined ? '' : `\`${JSON.stringify(shown)}\``,
  ]
  const { properties = {}, required = [] } = setting.items ?? setting
  const prefix = setting.items ? `${name}[].` : `${name}.`
  const inside = Object.entries(properties).flatMap(([key, inner]) =>
    rowsOf(prefix + key, inner, required.includes(key)),
  )
  return [`| ${row.join(' | ')} |`, ...inside]
}

function kindOf(setting: Setting): string {
  if (setting.enum) return setting.enum.map((value) => `\`${value}\``).join(', ')
  if (setting.items) return `list of ${kindOf(setting.items)}`
  return setting.type ?? 'value'
}

function example(says: string, rule: object): string {
  return `${says}\n\n\`\`\`json\n${show(rule)}\n\`\`\`\n`
}

/** JSON that puts everything that fits on one line on one line. */
function show(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((entry) => show(entry, inner))
    : Object.entries(value).map(([key, entry]) => `"${key}": ${show(entry, inner)}`)
  const line = isList ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`
  if (line.length <= LINE_WIDTH && !line.includes('\n')) return line
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`
}
