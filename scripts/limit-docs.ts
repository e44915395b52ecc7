import { FIELD_ERRORS_MAX } from '../packages/server/src/base/errors.ts'
import { DEPTH_MAX } from '../packages/server/src/base/strict-json.ts'
import { CARD_ALIASES_MAX } from '../packages/server/src/core/card-alias.ts'
import { PLANS } from '../packages/server/src/core/plan.ts'
import { EXPRESSIONS_COST_MAX } from '../packages/server/src/core/rules/expression/cost.ts'
import { EXPRESSION_LENGTH_MAX } from '../packages/server/src/core/rules/expression/vocabulary.ts'
import { RULES_MAX } from '../packages/server/src/core/rules/rule-set.ts'
import { ENTRIES_MAX as LIST_ENTRIES_MAX } from '../packages/server/src/core/rules/settings.ts'
import { ENDPOINTS_MAX } from '../packages/server/src/core/webhook-endpoint.ts'
import { BODY_BYTES_MAX, PATIENCE } from '../packages/server/src/http/app.ts'
import { ENTRIES_MAX } from '../packages/server/src/http/body/bound-entries.ts'
import { CALLS_MAX } from '../packages/server/src/mcp/serve-mcp.ts'
import { SENT_PER_HOUR_MAX } from '../packages/server/src/messages/send.ts'
import { CARDS_MAX } from '../packages/server/src/paths/card/registry/card.ts'
import { CONNECTIONS_MAX } from '../packages/server/src/paths/card/registry/connection.ts'
import { SIMULATIONS_MAX } from '../packages/server/src/paths/evaluate/simulate.ts'
import { INVITATIONS_MAX, MEMBERS_MAX } from '../packages/server/src/people/links.ts'
import { SESSIONS_MAX } from '../packages/server/src/people/open-session.ts'
import { PASSKEYS_MAX } from '../packages/server/src/people/routes/passkeys.ts'
import {
  ATTEMPTS_PER_ACCOUNT,
  ATTEMPTS_PER_ACCOUNT_AND_ADDRESS,
  ATTEMPTS_PER_ADDRESS,
} from '../packages/server/src/people/sign-in-limits.ts'
import { IN_FLIGHT_MAX } from '../packages/server/src/process/config/limits.ts'
import {
  POLLS_MAX,
  POLLS_PER_KEY_MAX,
  POLLS_PER_ORGANIZATION_MAX,
} from '../packages/server/src/routes/approvals/long-polls.ts'
import {
  STREAMS_MAX,
  STREAMS_PER_KEY_MAX,
  STREAMS_PER_ORGANIZATION_MAX,
} from '../packages/server/src/routes/events/stream.ts'
import { INTROSPECTIONS_MAX } from '../packages/server/src/routes/mandate-tokens/introspect.ts'
import { EXPORTS_MAX } from '../packages/server/src/routes/transactions/transactions.ts'
import { SEARCHED_MAX } from '../packages/server/src/storage/page-statements.ts'
import { EVENTS_SEARCHED_MAX } from '../packages/server/src/storage/webhooks/read-events.ts'

export function createLimitDocs(): string {
  const plans = Object.entries(PLANS).map(
    ([plan, { evaluationsPerMonth, requestsPerMinute, agents }]) =>
      `| \`${plan}\` | ${show(evaluationsPerMonth)} | ${show(requestsPerMinute)} | ${show(agents)} |`,
  )
  return `# Limits

Generated from the code. The gateway refuses a request that exceeds a limit before it changes
anything. The answer is a [problem](errors.md) with the code in the tables below, and has
\`Retry-After\` if waiting helps.

## Plans

| Plan | Evaluations per month | Requests per minute and key | Agents |
|---|---|---|---|
${plans.join('\n')}

- A self-hosted installation has the plan \`self_hosted\`. \`PURSER_REQUESTS_PER_MINUTE\` sets a
  request limit for it, and \`purser orgs plan\` changes the plan of an organization.
- Months are calendar months in UTC.
- Evaluations and agents beyond the plan get 429 \`plan_limit_exceeded\`, with \`plan\`, \`limit\`,
  \`used\` and \`resetsAt\`. Requests beyond the plan get 429 \`rate_limited\`.
- While a plan limits requests, each answer has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
  \`RateLimit-Reset\`.
- \`GET /organization/usage\` shows the current usage. Dry runs, retries with the same
  \`Idempotency-Key\` and refused requests do not count as evaluations.

## Concurrency

| Limit | Maximum | Beyond it |
|---|---|---|
| requests in flight per organization | ${show(IN_FLIGHT_MAX.perOrganization)} (\`PURSER_IN_FLIGHT_PER_ORG\`) | 503 \`overloaded\` |
| requests in flight per key | ${show(IN_FLIGHT_MAX.perKey)} (\`PURSER_IN_FLIGHT_PER_KEY\`) | 429 \`rate_limited\`, \`limited: in_flight_per_key\` |
| simulations per key | ${SIMULATIONS_MAX} | 429 \`rate_limited\`, \`limited: simulations\` |
| introspections of mandate tokens per key | ${INTROSPECTIONS_MAX} | 429 \`rate_limited\`, \`limited: introspections\` |
| requests to \`/mcp\` per key | ${CALLS_MAX} | 429 \`rate_limited\`, \`limited: mcp_requests\` |
| exports per key | ${EXPORTS_MAX} | 429 \`rate_limited\`, \`limited: exports\` |
| event streams per key | ${STREAMS_PER_KEY_MAX} | 429 \`rate_limited\`, \`limited: event_streams\` |
| event streams per organization | ${STREAMS_PER_ORGANIZATION_MAX} | 503 \`overloaded\` |
| event streams per process | ${STREAMS_MAX} | 503 \`overloaded\` |
| requests that wait for approvals, per key | ${POLLS_PER_KEY_MAX} | 429 \`rate_limited\`, \`limited: waits_for_approvals\` |
| requests that wait for approvals, per organization | ${POLLS_PER_ORGANIZATION_MAX} | 503 \`overloaded\` |
| requests that wait for approvals, per process | ${show(POLLS_MAX)} | 503 \`overloaded\` |

Each gateway process counts these separately.

## Sizes

| Limit | Maximum | Beyond it |
|---|---|---|
| body of a request | ${show(BODY_BYTES_MAX)} bytes, unless the endpoint states a different limit | 413 \`body_too_large\` |
| entries and fields in a body | ${show(ENTRIES_MAX)} | 413 \`body_too_large\` |
| nesting depth of a body | ${DEPTH_MAX} levels | 400 \`malformed_json\` |
| rules per mandate | ${RULES_MAX} | 400 \`validation_failed\` |
| entries per list in a rule | ${LIST_ENTRIES_MAX} | 400 \`validation_failed\` |
| characters per expression | ${show(EXPRESSION_LENGTH_MAX)} | 400 \`validation_failed\` |
| cost of all expressions of a mandate | ${show(EXPRESSIONS_COST_MAX)} units | 422 \`expressions_too_costly\` |
| connections to card issuers per organization | ${CONNECTIONS_MAX} | 409 \`card_connection_limit_reached\` |
| members per organization | ${show(MEMBERS_MAX)} | 409 \`people_limit_reached\` |
| open invitations per organization | ${INVITATIONS_MAX} | 409 \`people_limit_reached\` |
| sessions per member | ${SESSIONS_MAX} | the oldest session ends |
| passkeys per member | ${PASSKEYS_MAX} | 409 \`passkey_limit_reached\` |
| sign-in attempts in 15 minutes, per account and IP address | ${ATTEMPTS_PER_ACCOUNT_AND_ADDRESS} | 401 \`wrong_credentials\` |
| sign-in attempts in 15 minutes, per account from all IP addresses | ${ATTEMPTS_PER_ACCOUNT} | 401 \`wrong_credentials\` |
| sign-in attempts in 15 minutes, per IP address | ${ATTEMPTS_PER_ADDRESS} | 429 \`rate_limited\`, \`limited: sign_in_per_address\` |
| webhook endpoints per organization | ${ENDPOINTS_MAX} | 400 \`validation_failed\` |
| deliveries that wait for a [paused](guide-webhooks.md#pause-an-endpoint) webhook endpoint | unlimited: each bound would drop events | each takes up to 0.3 kB in PostgreSQL, so 100,000 a day grow the queue by up to 30 MB a day, beside the events, which retention then keeps; a metric, an alert and \`purser doctor\` show them |
| messages to people in an hour, per organization | ${show(SENT_PER_HOUR_MAX)} | further ones wait |
| open cards per organization | ${show(CARDS_MAX)} | 409 \`card_limit_reached\` |
| card aliases per vendor | ${CARD_ALIASES_MAX} | 400 \`validation_failed\` |
| rows per page of a list | 200, by default 50; \`offset\` up to 10,000, then \`cursor\` | 400 \`validation_failed\` |
| rows that one page of a list looks at, with a filter that no index has | ${show(SEARCHED_MAX)} (${show(EVENTS_SEARCHED_MAX)} events) | a short page with \`nextCursor\`; go on until it is null |
| \`total\` of a list | 10,000; beyond that \`totalIsExact\` is false | – |
| validation errors per response | ${FIELD_ERRORS_MAX} | \`detail\` says that more were omitted |

An amount must be above 0 and at most 999,999,999.999999, with at most six decimals. The gateway
removes floating-point noise: 0.1 + 0.2 counts as 0.3. It refuses a number with more than six real
decimals.

## Time

- A client has ${PATIENCE.headMs / 1_000} s to send the head of a request, and ${PATIENCE.requestMs / 1_000} s for the whole request (408).
- The gateway closes a connection whose client reads nothing of its answer for ${PATIENCE.stalledMs / 1_000} s.
- The gateway keeps the answer to an \`Idempotency-Key\` for 7 days. [retention.md](retention.md)
  says how long it keeps other data.
`
}

function show(limit: number | null): string {
  return limit === null ? 'unlimited' : limit.toLocaleString('en-US')
}
