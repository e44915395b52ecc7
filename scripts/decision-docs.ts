import { CODE_SOURCES, DECISION_CODES } from '../packages/server/src/core/decision/codes.ts'
import { type DeclaredCode, REPEATS } from '../packages/server/src/core/rules/codes.ts'

export function createDecisionDocs(): string {
  return `# Decision codes

Generated from the code: every code is declared where it arises, in \`packages/server/src/core/rules/\` and
\`packages/server/src/core/decision/\`. A code never changes its name or meaning; more codes may come.

Every decision answers 200, an approval and a rejection alike. \`evaluationDetails.code\` says in one word why it
was decided so, and \`evaluationDetails.message\` in one sentence. The transaction and the event \`transaction.rejected\`
have the same \`code\`. A request that could not be judged at all answers with an [error](errors.md) and has no decision.

The code of a rejection is found in this order:

1. The first check before any rule that stops the spend. Then no rule is asked, and \`evaluationDetails.rules\` is empty.
2. The first rule or budget that rejects, even if an earlier rule asks for a person.
3. Otherwise \`approval_required\`, for the first rule that asks for a person.

\`evaluationDetails.rules\` has an entry for each rule and then one for each budget: those of the agent's mandate first, then
those of the mandates above it. A budget has the id \`budget\`; the ids of a mandate above begin with the id of that
mandate, as in \`mnd_…/budget\`. Each entry that did not pass has a code of its own, also one that only flags; the code of
one that passed is null. A list in \`limit\` of an entry is cut after five: \`a, b, c, d, e and 3 more\`.

\`next\` below is \`evaluationDetails.next\`, and a finding is an entry of \`evaluationDetails.rules\`.

## Can repeating help?

Whether the same request can get another answer when it is sent again. A repeat needs a new \`Idempotency-Key\`: with the
old one the stored answer comes again, whatever has changed since.

\`next.retryAfter\` is null when no time can be named. Then waiting may still help, as with an expression that is true only
in some months, because at most 50 instants are tried. A budget without a period never passes by waiting alone.

| Repeat | Means | Codes |
|---|---|---|
${Object.entries(REPEATS).map(repeatRow).join('\n')}

## The codes

${DECISION_CODES.map(section).join('\n')}`
}

/** A link to the explanation of a code, from another document of the folder. */
export function linkToCode({ code }: DeclaredCode, document = ''): string {
  return `[\`${code}\`](${document}#${code})`
}

function repeatRow([repeat, meaning]: [string, string]): string {
  const codes = DECISION_CODES.filter((declared) => declared.repeat === repeat)
  return `| \`${repeat}\` | ${meaning} | ${codes.map((code) => linkToCode(code)).join(', ')} |`
}

function section(declared: DeclaredCode): string {
  const { code, meaning, action, repeat } = declared
  const sources = CODE_SOURCES.filter(({ codes }) => Object.values(codes).includes(declared))
  const names = sources.map((source) =>
    'rule' in source ? `the rule [\`${source.rule}\`](rules.md#${source.rule})` : source.name,
  )
  return `### \`${code}\`

${meaning}

- **What to do:** ${action}
- **Repeat:** \`${repeat}\`
- **Comes from:** ${names.join('; ')}
`
}
