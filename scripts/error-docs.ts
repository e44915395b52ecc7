import { PATHS } from '../packages/server/src/paths/index.ts'
import { listProblems } from '../packages/server/src/paths/path.ts'

export function createErrorDocs(): string {
  const rows = listProblems(PATHS)
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, title }) => `| ${status} | \`${code}\` | ${title}. |`)
  return `# Errors

Generated from \`packages/server/src/base/errors.ts\` and the problems of each path. Every error is an
RFC 9457 document (\`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`,
\`instance\`, \`code\`, \`requestId\` and \`errors\`. Base your logic on
\`code\`: it never changes. \`detail\` says what happened and what to do; \`errors\` names the fields
with JSON pointers.

A rejected spend is not an error: it is a decision, and the status is 200.

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}

## Which limit

\`rate_limited\` has several meanings. \`detail\` and the field \`limited\` say which one applies; most
also have the field \`limit\`:

| \`limited\` | Meaning | What to do |
|---|---|---|
| \`requests_per_minute\` | The key has used the requests per minute of the plan. | Wait for \`Retry-After\`. |
| \`in_flight_per_key\` | The key has the maximum number of requests in flight. | Wait for answers before you send more. |
| \`simulations\`, \`exports\`, \`event_streams\` | The key has the maximum number of these in progress. | Wait until one has ended. |
| \`waits_for_approvals\` | The key has the maximum number of requests that wait for approvals. | Wait until one is answered. |
| \`unknown_keys\` | Too many keys that this process has not seen are looked up at once. | Retry. |
| \`unknown_sessions\` | The same for sessions. | Retry. |
| \`sign_in_per_address\` | Too many attempts to sign in or to accept a link from this address. | Wait for \`Retry-After\`. |

\`body_too_large\` means that the body has too many bytes (\`limit\` is the maximum of the endpoint),
too many entries and fields, or comes in far too many chunks. [limits.md](limits.md) has the
numbers.

## Errors without a problem document

The HTTP server rejects some input before it becomes a request. Such answers have a short body in
another format, or none, and neither \`code\` nor \`requestId\`:

| Status | When |
|---|---|
| 400 | The head of the request is not HTTP. |
| 408 | The head took more than 10 s, or the whole request more than 20 s. |
| 417 | The header \`Expect\` has a value other than \`100-continue\`. |
| 431 | The headers exceed 16 kB. |

After 408, retry a spend with the same \`Idempotency-Key\`, as after a lost connection.
`
}
