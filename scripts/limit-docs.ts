import { FIELD_ERRORS_MAX } from '../packages/server/src/base/errors.ts'
import { DEPTH_MAX } from '../packages/server/src/base/strict-json.ts'
import { CARD_ALIASES_MAX } from '../packages/server/src/core/card-alias.ts'
import { PLANS } from '../packages/server/src/core/plan.ts'
import { EXPRESSIONS_COST_MAX } from '../packages/server/src/core/rules/expression/cost.ts'
import { EXPRESSION_LENGTH_MAX } from '../packages/server/src/core/rules/expression/vocabulary.ts'
import { RULES_MAX } from '../packages/server/src/core/rules/rule-set.ts'
import { ENTRIES_MAX as LIST_ENTRIES_MAX } from '../packages/server/src/core/rules/settings.ts'
import { BODY_BYTES_MAX, PATIENCE } from '../packages/server/src/http/app.ts'
import { ENTRIES_MAX } from '../packages/server/src/http/body/bound-entries.ts'
import { CARDS_MAX } from '../packages/server/src/paths/card/registry/card.ts'
import { CONNECTIONS_MAX } from '../packages/server/src/paths/card/registry/connection.ts'
import { SIMULATIONS_MAX } from '../packages/server/src/paths/evaluate/simulate.ts'
import { INVITATIONS_MAX, MEMBERS_MAX } from '../packages/server/src/people/links.ts'
import { SESSIONS_MAX } from '../packages/server/src/people/open-session.ts'
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

export function createLimitDocs(): string {
  const plans = Object.entries(PLANS).map(
    ([plan, { evaluationsPerMonth, requestsPerMinute, agents }]) =>
      `| \`${plan}\` | ${show(evaluationsPerMonth)} | ${show(requestsPerMinute)} | ${show(agents)} |`,
  )
  return `# Limits

Generated from the code. What is beyond a limit is refused at once and never half done; the answer is a [problem](errors.md) with the
code named here, and where waiting helps with \`Retry-After\`.

## Plans

| Plan | Evaluations a month | Requests a minute and key | Agents |
|---|---|---|---|
${plans.join('\n')}

An installation of your own has the plan \`self_hosted\`; \`PURSER_REQUESTS_PER_MINUTE\` sets a limit for it, and \`purser orgs plan\` changes the plan of an organization.
Months are those of UTC. Evaluations and agents beyond the plan answer 429 \`plan_limit_exceeded\` (with \`plan\`, \`limit\`, \`used\` and \`resetsAt\`), requests beyond it
429 \`rate_limited\`. While a plan limits requests, each answer has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. \`GET /organization/usage\` shows what is used. Dry runs, repeats with the same \`Idempotency-Key\` and refused requests use no evaluation.

## At once

| What | Most | Beyond it |
|---|---|---|
| requests of an organization in flight | ${show(IN_FLIGHT_MAX.perOrganization)} (\`PURSER_IN_FLIGHT_PER_ORG\`) | 503 \`overloaded\` |
| requests of a key in flight | ${show(IN_FLIGHT_MAX.perKey)} (\`PURSER_IN_FLIGHT_PER_KEY\`) | 429 \`rate_limited\`, \`limited: in_flight_per_key\` |
| simulations of a key | ${SIMULATIONS_MAX} | 429 \`rate_limited\`, \`limited: simulations\` |
| introspections of mandate tokens by a key | ${INTROSPECTIONS_MAX} | 429 \`rate_limited\`, \`limited: introspections\` |
| exports of a key | ${EXPORTS_MAX} | 429 \`rate_limited\`, \`limited: exports\` |
| event streams of a key | ${STREAMS_PER_KEY_MAX} | 429 \`rate_limited\`, \`limited: event_streams\` |
| event streams of an organization | ${STREAMS_PER_ORGANIZATION_MAX} | 503 \`overloaded\` |
| event streams of a process | ${STREAMS_MAX} | 503 \`overloaded\` |
| waits for approvals of a key | ${POLLS_PER_KEY_MAX} | 429 \`rate_limited\`, \`limited: waits_for_approvals\` |
| waits for approvals of an organization | ${POLLS_PER_ORGANIZATION_MAX} | 503 \`overloaded\` |
| waits for approvals of a process | ${show(POLLS_MAX)} | 503 \`overloaded\` |

All of these are counted in each process.

## Sizes

| What | Most | Beyond it |
|---|---|---|
| body of a request | ${show(BODY_BYTES_MAX)} bytes, where the endpoint says nothing else | 413 \`body_too_large\` |
| entries and fields of a body | ${show(ENTRIES_MAX)} | 413 \`body_too_large\` |
| depth of a body | ${DEPTH_MAX} | 400 \`malformed_json\` |
| rules of a mandate | ${RULES_MAX} | 400 \`validation_failed\` |
| entries of a list in a rule | ${LIST_ENTRIES_MAX} | 400 \`validation_failed\` |
| characters of an expression | ${show(EXPRESSION_LENGTH_MAX)} | 400 \`validation_failed\` |
| work of all expressions of a mandate | ${show(EXPRESSIONS_COST_MAX)} units | 422 \`expressions_too_costly\` |
| connections of an organization to issuers of cards | ${CONNECTIONS_MAX} | 409 \`card_connection_limit_reached\` |
| members of an organization | ${show(MEMBERS_MAX)} | 409 \`people_limit_reached\` |
| open invitations of an organization | ${INVITATIONS_MAX} | 409 \`people_limit_reached\` |
| sessions of a member | ${SESSIONS_MAX} | the oldest ends |
| attempts to sign in to an account from an address, in 15 minutes | ${ATTEMPTS_PER_ACCOUNT_AND_ADDRESS} | 401 \`wrong_credentials\` |
| attempts to sign in to an account from all addresses, in 15 minutes | ${ATTEMPTS_PER_ACCOUNT} | 401 \`wrong_credentials\` |
| attempts to sign in from an address, in 15 minutes | ${ATTEMPTS_PER_ADDRESS} | 429 \`rate_limited\`, \`limited: sign_in_per_address\` |
| cards of an organization that are not closed | ${show(CARDS_MAX)} | 409 \`card_limit_reached\` |
| card aliases of a vendor | ${CARD_ALIASES_MAX} | 400 \`validation_failed\` |
| page of a list | 200 rows, 50 by default; \`offset\` up to 10,000, then \`cursor\` | 400 \`validation_failed\` |
| \`total\` of a list | 10,000; beyond that \`totalIsExact\` is false | – |
| mistakes that an answer names | ${FIELD_ERRORS_MAX} | the sentence says that there are more |

An amount is above 0, at most 999,999,999.999999, and has at most six decimals. A number that is off by floating-point noise alone is
taken as the one that it means: 0.1 + 0.2 is 0.3. A seventh decimal that is really there is refused.

## Time

The head of a request may take ${PATIENCE.headMs / 1_000} s and all of it ${PATIENCE.requestMs / 1_000} s (408). A connection whose client takes nothing of its answer for ${PATIENCE.stalledMs / 1_000} s is closed. An answer under an
\`Idempotency-Key\` is kept for 7 days. How long everything else is kept: [retention.md](retention.md).
`
}

function show(limit: number | null): string {
  return limit === null ? 'unlimited' : limit.toLocaleString('en-US')
}
