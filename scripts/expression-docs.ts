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

/** What an expression can say, for docs/rules.md. */
export function createExpressionDocs(): string {
  const { maxAstNodes, maxDepth, maxListElements, maxMapEntries } = PARSER_LIMITS
  return `## Expressions

\`expr\` of the rule [\`expression\`](#expression) is in [CEL](https://cel.dev), with the words below and no others. Its result
is true or false, and the rule passes when it is true. What cannot be worked out for a spend fails the rule with
[\`expression_error\`](decisions.md#expression_error). Amounts are whole numbers of millionths: write \`money('20')\` and not \`20\`.

An expression has at most ${EXPRESSION_LENGTH_MAX} characters, ${maxAstNodes} parts and ${maxDepth} levels; a list in it has at most ${maxListElements} entries and
a map ${maxMapEntries}. It is checked when the mandate is written, and a mistake is explained there.

The expressions of one mandate together may cost at most ${EXPRESSIONS_COST_MAX} units of work for a spend, which is enough for 64 like any of the
examples below. The cost follows from the texts alone: about one unit for each part, more for functions that read a whole text (\`contains\`,
\`lowerAscii\`, \`size\`), and what is inside of \`all\`, \`exists\` and \`exists_one\` counts once for each entry, of which \`agent.tags\` has ${TAGS_MAX}.
What costs more is refused with 422 \`expressions_too_costly\`, which says the cost.

### Variables

What was approved does not include the spend itself. Hours and days are those of the mandate's zone. What was
approved before the mandate had the rule counts as well.

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
