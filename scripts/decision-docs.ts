import { CODE_SOURCES, DECISION_CODES } from '../packages/server/src/core/decision/codes.ts'
import { type DeclaredCode, REPEATS } from '../packages/server/src/core/rules/codes.ts'
import { wrapText } from './wrap-text.ts'

export function createDecisionDocs(): string {
  return `# Decision codes

Generated from the code: every code is declared where it arises, in
\`packages/server/src/core/rules/\` and \`packages/server/src/core/decision/\`. A code never changes its
name or meaning; new codes may be added.

Every decision returns status 200, both an approval and a rejection. \`evaluationDetails.code\` names
the reason, and \`evaluationDetails.message\` explains it in one sentence. The transaction and the
event \`transaction.rejected\` have the same \`code\`. A request that could not be evaluated at all
returns an [error](errors.md) and has no decision.

The gateway determines the code of a rejection in this order:

1. The first check before the rules that stops the spend. No rule is then evaluated, and
   \`evaluationDetails.rules\` is empty.
2. The first rule or budget that rejects, even if an earlier rule requires approval.
3. Otherwise \`approval_required\`, for the first rule that requires approval.

\`evaluationDetails.rules\` has one entry per rule, followed by one per budget. The entries of the
agent's own mandate come first, then those of its parents.

- A budget has the id \`budget\`. The ids of a parent mandate begin with the id of that mandate, as in
  \`mnd_…/budget\`.
- Each entry that did not pass has its own code, even if it only flags. The code of an entry that
  passed is null.
- A list in the \`limit\` of an entry is cut after five entries: \`a, b, c, d, e and 3 more\`.

On this page, \`next\` is \`evaluationDetails.next\`, and a finding is an entry of
\`evaluationDetails.rules\`.

## Is it worth retrying?

The table says whether the same request can get a different answer when it is sent again. A retry
needs a new \`Idempotency-Key\`: with the old key, the gateway returns the stored answer, no matter
what has changed since.

\`next.retryAfter\` is null if the gateway cannot name a time. Waiting may still help then, for
example with an expression that is true only in some months, because the gateway tries at most 50
instants. A spend that exceeds a budget without a period never passes by waiting alone.

| Retry | Meaning | Codes |
|---|---|---|
${Object.entries(REPEATS).map(repeatRow).join('\n')}

## The codes

${DECISION_CODES.map(section).join('\n')}`
}

/** A link to the explanation of a code, from a different document of the folder. */
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

${wrapText(meaning)}

${wrapText(`**What to do:** ${action}`, '- ')}
- **Retry:** \`${repeat}\`
${wrapText(`**Comes from:** ${names.join('; ')}`, '- ')}
`
}
