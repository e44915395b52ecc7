import { type Static, Type } from 'typebox'
import { type FieldError, invalidFields } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import {
  DEFAULT_WARNING_PERCENTS,
  type Mandate,
  type MandateTerms,
} from '../../core/mandates/mandate.ts'
import { checkTrial } from '../../core/mandates/mandate-change.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { toMicros } from '../../core/money.ts'
import { PATH_NAMES } from '../../core/path.ts'
import type { Principal } from '../../core/principal.ts'
import { parseRules, RULES_MAX, RuleInput } from '../../core/rules/rule-set.ts'
import type { Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Trial } from '../../gateway/preview-lines.ts'
import { fromPublicId, Money, publicId, Timestamp } from '../../http/document/schemas.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import { findMandate } from '../../storage/mandates.ts'
import { getOrganization } from '../../storage/organizations.ts'

/** The most by which `at` may differ from the present. */
const AWAY_MS_MAX = 366 * 86_400_000

/** The fields of a simulation that an evaluation does not have. */
export const TrialFields = {
  rules: Type.Optional(
    Type.Array(RuleInput, {
      maxItems: RULES_MAX,
      description:
        "Rules to use instead of the mandate's own rules, for example to try out a draft.",
    }),
  ),
  mandateId: Type.Optional({
    ...publicId('mnd', 'the mandate'),
    description:
      "The id of a draft. The gateway judges the spend as if the draft were the agent's active mandate. The id of the active mandate is allowed too. `agentId` is optional with it.",
  }),
  budgetTotal: Type.Optional({
    ...Money,
    description:
      "The budget per period to use instead of the budget of `mandateId`. Without `mandateId`, the gateway judges the spend by a new mandate with this budget, `rules`, `currency` (default: the organization's currency) and `budgetPeriod` (default: `none`), under which nothing was spent.",
  }),
  budgetPeriod: Type.Optional(
    Type.Enum(['none', 'daily', 'weekly', 'monthly', 'yearly'], {
      type: 'string',
      description:
        "How often the budget resets, by the calendar in the mandate's time zone. `none`: it never resets.",
    }),
  ),
  path: Type.Optional(
    Type.Enum([...PATH_NAMES], {
      type: 'string',
      description:
        'The payment path of the spend. Default: `evaluate`. The simulation leaves out the checks that only the path makes, such as those of payees, wallets and cards.',
    }),
  ),
  at: Type.Optional({
    ...Timestamp,
    description:
      'The time at which the gateway judges the spend, for example to try out a schedule: at most 366 days from now. Budgets and limits know the spends up to now. Default: now.',
  }),
}

type Fields = Static<ReturnType<typeof fieldsObject>>

function fieldsObject() {
  return Type.Object(TrialFields)
}

/** Whether the answer has `warnings`. */
export function hasTrialTerms({ rules, mandateId, budgetTotal }: Fields): boolean {
  return rules !== undefined || mandateId !== undefined || budgetTotal !== undefined
}

interface Asker {
  readonly organizationId: string
  readonly principal: Principal
}

/** Finds the mandate that a simulation names. Returns undefined if it names none. */
export async function findTried(
  db: Queryable,
  { organizationId, principal }: Asker,
  { mandateId, agentId }: { readonly mandateId?: string; readonly agentId?: string },
  now: Instant,
): Promise<Mandate | undefined> {
  if (mandateId === undefined) return undefined
  const mandate = await findMandate(db, organizationId, fromPublicId('mnd', mandateId))
  if (!mandate || !actsFor(principal, mandate.agentId)) throw mandateNotFound(mandateId)
  if (agentId !== undefined && agentId !== mandate.agentId) {
    throw refused('/mandateId', 'conflict', 'belongs to another agent than agentId')
  }
  checkTrial(mandate, now)
  if (mandate.draftOf !== null) {
    // The next version of a mandate that has ended would judge no spend.
    const base = await findMandate(db, organizationId, mandate.draftOf)
    if (base) checkTrial(base, now)
  }
  return mandate
}

/** Reads the terms and the instant. Checks everything that the schema cannot express. */
export async function toTrial(
  db: Queryable,
  { organizationId }: Asker,
  body: Fields & { readonly currency?: string },
  tried: Mandate | undefined,
  now: Instant,
): Promise<Trial> {
  const { budgetTotal } = body
  const at = toInstant(body.at, now)
  const changes = toChanges(body)
  if (tried) return { ...inForce(tried, changes), at }
  if (budgetTotal === undefined) return { changes, at }
  const { currency, timezone } = await getOrganization(db, organizationId)
  const newMandate: MandateTerms = {
    name: '',
    currency: body.currency ?? currency,
    timezone,
    validFrom: null,
    validUntil: null,
    budgetPeriod: 'none',
    budgetTotal: toMicros(budgetTotal),
    warningPercents: DEFAULT_WARNING_PERCENTS,
    rules: [],
    ...changes,
  }
  return { newMandate, at }
}

/**
 * A draft of the next version is judged as the mandate that it changes, so that the amounts spent
 * under that mandate and its counters apply.
 */
function inForce(
  { id, draftOf, name, rules, budgetTotal, validUntil }: Mandate,
  changes: NonNullable<Trial['changes']>,
): Pick<Trial, 'mandateId' | 'changes'> {
  if (draftOf === null) return { mandateId: id, changes }
  return { mandateId: draftOf, changes: { name, rules, budgetTotal, validUntil, ...changes } }
}

function toChanges({ rules, budgetTotal, budgetPeriod, mandateId }: Fields) {
  if (budgetPeriod !== undefined && mandateId === undefined && budgetTotal === undefined) {
    throw refused('/budgetPeriod', 'conflict', 'is allowed only with mandateId or budgetTotal')
  }
  return {
    ...(rules && { rules: parseRules(rules) }),
    ...(budgetTotal !== undefined && { budgetTotal: toMicros(budgetTotal) }),
    ...(budgetPeriod !== undefined && { budgetPeriod }),
  }
}

/** The other paths open a hold for every spend, and end it by themselves. */
export function onPath(spend: Spend, path: Spend['path'] = 'evaluate'): Spend {
  if (path === 'evaluate') return spend
  if (spend.holdMs !== null) {
    throw refused('/hold', 'conflict', `is not allowed with the path ${path}, which always holds`)
  }
  return { ...spend, path, holdMs: Number.POSITIVE_INFINITY }
}

function toInstant(text: string | undefined, now: Instant): Instant | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Math.abs(at - now) <= AWAY_MS_MAX) return at
  throw refused('/at', 'range', 'must be at most 366 days from now')
}

function refused(path: string, code: string, message: string) {
  const error: FieldError = { path, code, message }
  return invalidFields([error])
}
