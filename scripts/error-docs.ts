import { PATHS } from '../packages/server/src/paths/index.ts'
import { listProblems } from '../packages/server/src/paths/path.ts'

export function createErrorDocs(): string {
  const rows = listProblems(PATHS)
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, title }) => `| ${status} | \`${code}\` | ${title}. |`)
  return `# Errors

Generated from \`packages/server/src/base/errors.ts\` and the problems of each path. Every error is an
RFC 9457 document (\`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`,
\`instance\`, \`code\`, \`requestId\` and \`errors\`. Decide by \`code\`: it never changes. \`detail\` says
in one sentence what happened and what to do, and \`errors\` names the fields with JSON pointers.

A rejected spend is not an error: it is a decision, and answers 200.

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}

## Which limit

\`rate_limited\` has several meanings. The sentence says which, and so does the field \`limited\`, mostly with \`limit\`:

| \`limited\` | Meaning | What to do |
|---|---|---|
| \`requests_per_minute\` | The plan allows no more requests of this key in this minute. | Wait for \`Retry-After\`. |
| \`in_flight_per_key\` | As many requests of this key are under way as may be. | Wait for answers before you send more. |
| \`simulations\`, \`exports\`, \`event_streams\` | So many of these are under way with this key. | Wait until one has ended. |
| \`waits_for_approvals\` | So many requests of this key wait for approvals. | Wait until one has been answered. |
| \`unknown_keys\` | Too many keys that this process has not met are looked up at once. | Repeat the request. |
| \`unknown_sessions\` | The same, of sessions. | Repeat the request. |
| \`sign_in_per_address\` | Signing in, or accepting a link, was tried too often from this address. | Wait for \`Retry-After\`. |

\`body_too_large\` is said of a body with too many bytes (\`limit\` says how many the endpoint takes), with too many entries and fields, or in far more pieces
than it needs. [limits.md](limits.md) has the numbers.

## What is not a problem document

What is refused before it is a request of ours has a short body of another form, or none, and neither \`code\` nor \`requestId\`:

| Status | When |
|---|---|
| 400 | The head of the request is not HTTP. |
| 408 | The head took more than 10 s, or all of the request more than 20 s. |
| 417 | The header \`Expect\` asks for something else than \`100-continue\`. |
| 431 | The headers have more than 16 kB. |

Repeat a spend after 408 with the same \`Idempotency-Key\`, as after a connection that was lost.
`
}
