import { EXPRESSIONS_COST_MAX } from '../packages/server/src/core/rules/expression/cost.ts'
import {
  EXPRESSION_LENGTH_MAX,
  FUNCTIONS,
  METHODS,
  OPERATORS,
  PARSER_LIMITS,
  RECORDS,
  SCALARS,
  TAGS_MAX,
} from '../packages/server/src/core/rules/expression/vocabulary.ts'

/** The section about expressions, for docs/rules.md. */
export function createExpressionDocs(): string {
  const { maxAstNodes, maxDepth, maxListElements, maxMapEntries } = PARSER_LIMITS
  return `## Expressions

The \`expr\` of the rule [\`expression\`](#expression) is written in [CEL](https://cel.dev). Only the
variables, functions and operators below are supported. The result must be true or false, and the
rule passes if it is true. If an expression cannot be evaluated for a spend, the rule fails with
[\`expression_error\`](decisions.md#expression_error). Amounts are whole numbers of millionths: write
\`money('20')\`, not \`20\`.

An expression has at most ${EXPRESSION_LENGTH_MAX} characters, ${maxAstNodes} parts and ${maxDepth} levels. A list in it has at most
${maxListElements} entries, a map at most ${maxMapEntries}. The gateway checks it when the mandate is created or changed,
and explains mistakes in the response.

The expressions of one mandate together may cost at most ${EXPRESSIONS_COST_MAX} units of work per spend, which is
enough for 64 expressions like any of the examples below. The cost follows from the texts alone:

- about one unit for each part;
- more for functions that read a whole text (\`contains\`, \`lowerAscii\`, \`size\`);
- the condition of \`all\`, \`exists\` and \`exists_one\` counts once per entry. \`agent.tags\` counts as ${TAGS_MAX}
  entries.

The gateway refuses expressions that cost more with 422 \`expressions_too_costly\`, which states the
cost.

### Variables

Totals and counts do not include the spend itself. Hours and days are those of the mandate's time
zone. Spends that were approved before the mandate had the rule count as well.

| Variable | Type | Meaning |
|---|---|---|
${variableRows().join('\n')}

### Functions

| Function | Meaning | Example |
|---|---|---|
${[...Object.values(FUNCTIONS), ...Object.values(METHODS)].map(wordRow).join('\n')}

\`all\`, \`exists\` and \`exists_one\` cannot be nested.

### Operators

| Operator | Meaning | Example |
|---|---|---|
${OPERATORS.map(wordRow).join('\n')}
`
}

function variableRows(): string[] {
  const fields = Object.entries(RECORDS).flatMap(([record, inside]) =>
    Object.entries(inside).map(([field, variable]) => [`${record}.${field}`, variable] as const),
  )
  return [...Object.entries(SCALARS), ...fields].map(
    ([name, { type, meaning }]) => `| \`${name}\` | \`${type}\` | ${meaning} |`,
  )
}

function wordRow({ form, meaning, example }: (typeof OPERATORS)[number]): string {
  return `| ${asCode(form)} | ${meaning} | ${asCode(example)} |`
}

/** A bar inside code would end the table cell. */
function asCode(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}
