import { type Static, type TSchema, Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { ACTOR_PATTERN } from '../../core/actor.ts'
import { DECISION_CODES } from '../../core/decision/codes.ts'
import { type IdPrefix, publicIdPattern, toUuid } from '../../core/id.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { nextAfter, type Page, type PageRequest } from '../../storage/page.ts'
import { COMPONENT } from './components.ts'
import { EXAMPLE_AGENT_ID, EXAMPLE_TIME, exampleId } from './examples.ts'

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 timestamp in UTC.',
  examples: [EXAMPLE_TIME],
})

export const Money = Type.Number({
  format: 'money',
  description:
    'Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six decimals.',
  examples: [12.5],
})

/** An amount in a response. It may be zero. */
export const Sum = Type.Number({
  description: 'Amount in units of the currency (12.5 means 12.50 USD).',
  examples: [37.25],
})

export const AgentId = Type.String({
  format: 'uuid',
  description: 'The id of an agent.',
  examples: [EXAMPLE_AGENT_ID],
})

/** A time in a response, with its meaning. `more` holds further sentences. */
export function timeWhen(meaning: string, more = '') {
  return { ...Timestamp, description: `${meaning} (ISO 8601, UTC). ${more}`.trim() }
}

/** An amount in a response, with its meaning. `more` holds further sentences. */
export function sumOf(meaning: string, more = '') {
  return { ...Sum, description: `${meaning}, in units of the currency. ${more}`.trim() }
}

/** Fields that every spend has, as responses and events show them. */
export const VendorHost = Type.String({ description: 'The host name of the vendor.' })
export const SpendCategory = nullable(
  Type.String({ description: 'The category of the spend, such as `llm`. Null if it has none.' }),
)
export const SpendCurrency = nullable(
  Type.String({
    description:
      'The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a mandate names one.',
  }),
)
export const SpendReference = nullable(
  Type.String({ description: 'Your own reference for the purchase. Null if you sent none.' }),
)

export const ActorName = nullable(
  Type.String({
    pattern: ACTOR_PATTERN,
    description:
      'Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command, or `system` for the gateway itself. Null if it was not recorded.',
    examples: [exampleId('key')],
  }),
)

/** The name beside an `ActorName`. Responses to changes leave it out: the caller knows its own name. */
export const ActorsOwnName = Type.Optional(
  nullable(
    Type.String({
      description:
        'The current or last name of that key or member. Null for `cli` and `system`, and for agent-bound keys. Only in responses to GET.',
      examples: ['Research crew'],
    }),
  ),
)

export function publicId(prefix: IdPrefix, what: string): ReturnType<typeof Type.String> {
  return Type.String({
    pattern: publicIdPattern(prefix),
    description: `The id of ${what}.`,
    examples: [exampleId(prefix)],
  })
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** For responses: refers to the schema with this title, in places that cannot import it. */
export function component<Value>(title: string) {
  return Type.Unsafe<Value>({ [COMPONENT]: title })
}

/** For responses: a list that later versions may extend, so a client must accept unknown values. */
export function open<Schema extends TSchema>(list: Schema, said: Record<string, unknown> = {}) {
  return Type.Union([list, Type.String()], said)
}

/**
 * The document shows the list of codes. In our types a code is a string, because it comes from a
 * database row.
 */
export const KnownCode = Type.String({
  title: 'DecisionCode',
  enum: DECISION_CODES.map(({ code }) => code),
  description: [
    'The reason for the decision. docs/decisions.md explains for each code what to do and whether a retry can help. New codes may be added.',
    ...DECISION_CODES.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`),
  ].join('\n'),
})

export const DecisionCode = open(KnownCode, { examples: ['approved'] })

/**
 * Null is in the second schema, because generators handle a choice of a named list and one other
 * schema best.
 */
export const NullableDecisionCode = Type.Union([KnownCode, nullable(Type.String())], {
  examples: ['approved'],
})

export const Warning = Type.Object(
  {
    code: Type.String({
      description: "The warning's code. docs/rules.md lists all codes; new ones may be added.",
    }),
    message: Type.String({ description: 'The warning in one sentence.' }),
    ruleIds: Type.Array(Type.String(), { description: 'The ids of the rules that it is about.' }),
  },
  {
    title: 'MandateWarning',
    description: 'A warning about rules that contradict each other or have no effect.',
  },
)

/** Names that were stored before this check existed are returned unchanged. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  format: 'name',
  description:
    'A name for people to read, 1 to 120 characters. Control characters, invisible characters (such as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed where a script needs them (between letters, U+200D after a virama, U+200C between Arabic letters and digits), and U+200D also in emoji.',
  examples: ['Research agent'],
})

/**
 * Without `additionalProperties: false`, a key that does not match the pattern could have a value of
 * any kind and size.
 */
export const Metadata = Type.Record(
  Type.String({ pattern: '^.{1,64}$' }),
  Type.String({ maxLength: 500 }),
  {
    additionalProperties: false,
    maxProperties: 20,
    description:
      'Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at most 500.',
    examples: [{ owner: 'growth@example.com' }],
  },
)

export const PagingFields = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'How many entries a page has.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 0,
    description: 'How many entries to skip.',
  }),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{22}$',
      description: 'The `nextCursor` of the previous page. Use it instead of `offset`.',
      examples: ['AZqFYXxefUCbXm8fCjwrEQ'],
    }),
  ),
}

const Paging = Type.Object(PagingFields)

/** A page of rows, newest first. Its component name comes from the title of its rows. */
export function pageSchema<Schema extends TSchema>(row: Schema, title = pageTitle(row)) {
  return Type.Object(
    {
      data: Type.Array(row, { description: 'The entries of this page, newest first.' }),
      total: Type.Integer({
        description: 'How many entries match in total. Counting stops at 10,000.',
      }),
      totalIsExact: Type.Boolean({
        description: 'False if there are, or may be, more entries than `total`.',
      }),
      limit: Type.Integer({ description: 'The `limit` of the request.' }),
      offset: Type.Integer({ description: 'The `offset` of the request.' }),
      hasMore: Type.Boolean({ description: 'Whether there is a next page.' }),
      nextCursor: nullable(
        Type.String({
          description: 'Pass this value as `cursor` to get the next page. Null on the last page.',
        }),
      ),
    },
    { ...(title !== undefined && { title }), examples: [examplePage(row)] },
  )
}

function pageTitle(row: TSchema): string | undefined {
  return 'title' in row && typeof row.title === 'string' ? `${row.title}List` : undefined
}

/** A page with the example of its row. */
export function examplePage(row: TSchema): object {
  const examples = 'examples' in row && Array.isArray(row.examples) ? row.examples : []
  const data = examples.slice(0, 1)
  return {
    data,
    total: data.length,
    totalIsExact: true,
    limit: 50,
    offset: 0,
    hasMore: false,
    nextCursor: null,
  }
}

export function toPageRequest({ limit, offset, cursor }: Static<typeof Paging>): PageRequest {
  if (cursor !== undefined && offset > 0) {
    throw new Problem('validation_failed', 'Send either cursor or offset, not both.', {
      errors: [
        { path: '/offset', code: 'not_allowed', message: 'cannot be combined with a cursor' },
      ],
    })
  }
  return { limit, offset, after: cursor === undefined ? undefined : fromCursor(cursor) }
}

/** The page in the format of the API. */
export function toPage<Row extends { readonly id: string }, Shape>(
  page: Page<Row>,
  toShape: (row: Row) => Shape,
) {
  const { rows, total, totalIsExact, limit, offset, hasMore } = page
  const after = nextAfter(page)
  return {
    data: rows.map(toShape),
    total,
    totalIsExact,
    limit,
    offset,
    hasMore,
    nextCursor: after === undefined ? null : toCursor(after),
  }
}

function toCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

function fromCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function toTimestamp(instant: Instant): string
export function toTimestamp(instant: Instant | null): string | null
export function toTimestamp(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant)
}

/** The schema has checked the format, so an invalid id here is a defect. */
export function fromPublicId(prefix: IdPrefix, id: string): string {
  const uuid = toUuid(prefix, id)
  if (uuid === undefined)
    throw new Error(`A value passed the schema of ${prefix} ids but is not such an id.`)
  return uuid
}
