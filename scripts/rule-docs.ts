import { BUDGET_ID } from '../packages/server/src/core/rules/budget.ts'
import {
  EFFECT_MEANINGS,
  type RuleDefinition,
} from '../packages/server/src/core/rules/define-rule.ts'
import { HIGH_RISK_ID } from '../packages/server/src/core/rules/high-risk.ts'
import { RULES } from '../packages/server/src/core/rules/kinds/index.ts'
import { RULES_MAX } from '../packages/server/src/core/rules/rule-set.ts'
import { WARNING_CODES } from '../packages/server/src/core/rules/warnings.ts'
import { linkToCode } from './decision-docs.ts'
import { createExpressionDocs } from './expression-docs.ts'
import { wrapText } from './wrap-text.ts'

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

Generated from \`packages/server/src/core/rules/\`, in the order in which findings are reported.

A mandate has up to ${RULES_MAX} rules, and a spend must pass all of them. The gateway evaluates every
rule on every spend, so the response names every rule that rejects it. Every rule also takes:

- \`id\`: names the rule in findings. If omitted, it is derived from the type (\`limit\`, \`limit-2\`, …).
  Ids are unique within a mandate. \`${BUDGET_ID}\` and \`${HIGH_RISK_ID}\` are reserved: in findings they
  mean the budget and the check for high-risk card purchases.
- \`effect\`: what happens when the rule fails: \`reject\`, \`require_approval\` or \`flag\`.

The budget of the mandate is not a rule and always applies.

A rule applies to the spends of its own mandate and of all its child mandates, and counts them.

A rule that is added to an active mandate, or widened, takes earlier spends into account. This holds
for [\`limit\`](#limit), [\`duplicate\`](#duplicate), [\`new_vendor\`](#new_vendor),
[\`price_drift\`](#price_drift) and the counters of an [\`expression\`](#expression). If there are more
than a few thousand earlier transactions, the gateway reads them in the background within seconds.
Until then the rule fails for every spend that depends on them, and the response to the change warns
about it.

A spend that needs approval is rejected with the code \`approval_required\`, and
\`evaluationDetails.approval\` names the request that a person answers.
[guide-approvals.md](guide-approvals.md) shows how.

A rule that fails returns a code; [decisions.md](decisions.md) explains each code and what to do
about it. A rule that cannot be evaluated also fails, with the code
[\`rule_error\`](decisions.md#rule_error).

## Effects

| Effect | What happens when the rule fails |
|---|---|
${Object.entries(EFFECT_MEANINGS)
  .map(([effect, meaning]) => `| \`${effect}\` | ${meaning} |`)
  .join('\n')}

If one rule rejects a spend, it is rejected, regardless of the other rules.

## Child mandates

The rules of all parent mandates also apply to every spend, so a child mandate need not repeat them.
When a child mandate is created or changed, the gateway compares each of its rules with the rules of
the same type in the parents. It refuses a rule that allows more with
[\`mandate_wider_than_parent\`](errors.md). It compares only with rules of the parents whose effect is
at least as strict: \`reject\` is the strictest, then \`require_approval\`, then \`flag\`. Each rule below
says what is compared.

## Warnings

The response to a change of a mandate has \`warnings\`. They point out rules that are valid but
probably not what you meant, and rules that take a while to become effective. Each names the ids of
the rules concerned. A warning does not prevent the change. Handle warnings by \`code\`; new codes may
be added.

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
      ? `The effect is always ${first}.`
      : `The default effect is ${first}; ${others.join(' and ')} are also possible.`
  const links = Object.values(codes).map((code) => linkToCode(code, 'decisions.md'))
  return `## \`${type}\`

${wrapText(`${summary} ${meaning}`)}

${settingsTable(settings)}
${notesOf(definition)}${wrapText(`Codes: ${links.join(', ')}.`)}

${examples.map(({ says, rule }) => example(says, { type, ...rule })).join('\n')}`
}

function notesOf({ notes = [], narrower }: RuleDefinition): string {
  const compared = narrower ?? "not checked against the parent's."
  const items = [...notes, `Child mandates: ${compared}`].map((note) => wrapText(note, '- '))
  return `${items.join('\n')}\n\n`
}

function settingsTable(settings: RuleDefinition['settings']): string {
  const rows = Object.entries<Setting & { '~optional'?: true }>(settings).flatMap(
    ([name, setting]) => rowsOf(name, setting, setting['~optional'] !== true),
  )
  if (rows.length === 0) return 'This rule has no settings.\n'
  return `| Setting | Kind | Required | Meaning | Example |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
}

/**
 * Returns the row of a setting, then the rows of its nested settings: `match.vendor`,
 * `windows[].from`.
 */
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
  return `${wrapText(says)}\n\n\`\`\`json\n${show(rule)}\n\`\`\`\n`
}

/** Formats JSON, with each value on one line if it fits. */
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
