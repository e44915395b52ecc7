import { PATHS } from '../packages/server/src/paths/index.ts'
import { listProblems } from '../packages/server/src/paths/path.ts'

export function createErrorDocs(): string {
  const rows = listProblems(PATHS)
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, title }) => `| ${status} | \`${code}\` | ${title}. |`)
  return `# Errors

Generated from \`packages/server/src/errors.ts\` and the problems of each path. Every error is an
RFC 9457 document (\`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`,
\`instance\`, \`code\`, \`requestId\` and \`errors\`. Decide by \`code\`: it never changes. \`detail\` says
in one sentence what happened and what to do, and \`errors\` names the fields with JSON pointers.

A rejected spend is not an error: it is a decision, and answers 200.

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}
`
}
