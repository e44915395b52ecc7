import { CODE_SOURCES, DECISION_CODES } from '../packages/server/src/core/decision/codes.ts'
import { type DeclaredCode, REPEATS } from '../packages/server/src/core/rules/codes.ts'

export function createDecisionDocs(): string {
  return `# Decision codes

Generated from the code: every code is declared where it arises, in \`packages/server/src/core/rules/\` and
\`packages/server/src/core/decision/\`. A code never changes its name or meaning; more codes may come.

Every decision answers 200, an approval and a rejection alike. \`evaluationDetails.code\` says in one word why it
was decided so, and \`evaluationDetails.message\` in one sentence. The transaction and the event \`transaction.rejected\`
have the same \`code\`. Of a rejection it names the first thing that stood in the way. Each rule that did not pass has
a code of its own in \`evaluationDetails.rules\`, also one that only flags; there it is null for a rule that passed.
A request that could not be judged at all answers with an [error](errors.md) and has no decision.

\`next\` below is \`evaluationDetails.next\`, and a finding is an entry of \`evaluationDetails.rules\`.

## Can repeating help?

Whether the same request can get another answer when it is sent again. A repeat needs a new \`Idempotency-Key\`: with the
old one the stored answer comes again, whatever has changed since.

\`next.retryAfter\` is null when no time can be named. Then waiting may still help, as with an expression about the hour
of the day, but nobody can say when. A budget without a period never passes by waiting alone.

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
