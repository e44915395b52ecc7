// The vocabulary of expressions. The engine takes its variables from here, the guard its allowed
// names, and docs/rules.md its tables. So none of them knows a word that the others do not.

interface Variable {
  /** The name that the engine uses. */
  readonly type: 'int' | 'string' | 'list<string>'
  readonly meaning: string
}

/** A function or an operator. */
interface Word {
  readonly form: string
  readonly meaning: string
  readonly example: string
}

type Variables = Readonly<Record<string, Variable>>

export const SCALARS: Variables = {
  amount: {
    type: 'int',
    meaning: 'The amount of the spend, in millionths. Compare it with `money`.',
  },
  currency: { type: 'string', meaning: 'The currency of the mandate.' },
  vendor: { type: 'string', meaning: 'The host name of the vendor.' },
  category: { type: 'string', meaning: 'The category of the spend; empty if it has none.' },
  path: { type: 'string', meaning: 'The payment path of the spend.' },
  reference: { type: 'string', meaning: 'The reference of the spend; empty if it has none.' },
  vendor_first_seen_days: {
    type: 'int',
    meaning: 'Whole days since the first spend at the vendor; -1 if there was none.',
  },
}

export const RECORDS: Readonly<Record<string, Variables>> = {
  spent: {
    hour: { type: 'int', meaning: 'The total approved in this calendar hour, in millionths.' },
    day: { type: 'int', meaning: 'The total approved on this calendar day, in millionths.' },
    period: { type: 'int', meaning: 'The spent part of the budget in its period, in millionths.' },
    total: { type: 'int', meaning: 'The total ever approved under the mandate, in millionths.' },
  },
  count: {
    hour: { type: 'int', meaning: 'The number of spends approved in this calendar hour.' },
    day: { type: 'int', meaning: 'The number of spends approved on this calendar day.' },
  },
  agent: {
    id: { type: 'string', meaning: 'The id of the agent.' },
    tags: { type: 'list<string>', meaning: 'The tags of the agent.' },
  },
  local: {
    hour: {
      type: 'int',
      meaning: 'The hour of the spend in the time zone of the mandate, 0 to 23.',
    },
    weekday: { type: 'string', meaning: 'The day of the week in that time zone: `mon` to `sun`.' },
    date: { type: 'string', meaning: 'The date in that time zone, such as `2026-10-31`.' },
  },
}

const SIZE = 'The number of characters of a text, or of entries of a list or map.'

export const FUNCTIONS: Readonly<Record<string, Word>> = {
  has: {
    form: 'has(record.field)',
    meaning: 'Whether a record has the field.',
    example: 'has(agent.id)',
  },
  money: {
    form: "money('20.50')",
    meaning: 'An amount in millionths. Write it in quotes, with at most six decimals.',
    example: "amount <= money('20.50')",
  },
  size: { form: 'size(value)', meaning: SIZE, example: 'size(agent.tags) > 0' },
}

/**
 * Macros that evaluate a condition for each entry of a list. Their cost is bounded because they
 * cannot be nested.
 */
export const MACROS: Readonly<Record<string, Word>> = {
  all: {
    form: 'list.all(entry, condition)',
    meaning: 'Whether the condition is true for every entry.',
    example: "agent.tags.all(tag, tag != 'retired')",
  },
  exists: {
    form: 'list.exists(entry, condition)',
    meaning: 'Whether the condition is true for at least one entry.',
    example: "agent.tags.exists(tag, tag.startsWith('team:'))",
  },
  exists_one: {
    form: 'list.exists_one(entry, condition)',
    meaning: 'Whether the condition is true for exactly one entry.',
    example: "agent.tags.exists_one(tag, tag.startsWith('team:'))",
  },
}

export const METHODS: Readonly<Record<string, Word>> = {
  ...MACROS,
  contains: {
    form: 'text.contains(part)',
    meaning: 'Whether the text contains the part.',
    example: "!vendor.contains('ads')",
  },
  endsWith: {
    form: 'text.endsWith(end)',
    meaning: 'Whether the text ends with `end`.',
    example: "vendor.endsWith('.example.com')",
  },
  lowerAscii: {
    form: 'text.lowerAscii()',
    meaning: 'The text with A to Z in lower case.',
    example: "reference.lowerAscii() != 'test'",
  },
  size: { form: 'value.size()', meaning: SIZE, example: 'reference.size() > 0' },
  startsWith: {
    form: 'text.startsWith(beginning)',
    meaning: 'Whether the text begins with `beginning`.',
    example: "reference.startsWith('order-')",
  },
}

export const OPERATORS: readonly Word[] = [
  {
    form: '== !=',
    meaning: 'Equal, not equal. Both sides must have the same type.',
    example: "category == 'llm'",
  },
  {
    form: '< <= > >=',
    meaning: 'Less than, greater than. Compare amounts with `money`.',
    example: "amount < money('5') || local.hour >= 9",
  },
  {
    form: '&& || !',
    meaning: 'And, or, not.',
    example: "!(category == 'search' && count.day >= 10)",
  },
  {
    form: 'condition ? a : b',
    meaning: 'Returns `a` if the condition is true, otherwise `b`.',
    example: "category == 'llm' ? amount <= money('5') : amount <= money('1')",
  },
  {
    form: 'in',
    meaning: 'Whether a list contains the entry, or a map contains the key.',
    example: "local.weekday in ['sat', 'sun']",
  },
  {
    form: '+ - * / %',
    meaning: 'Arithmetic with whole numbers. If it divides by zero, the rule fails.',
    example: "amount + spent.day <= money('40')",
  },
  {
    form: '[ ]',
    meaning:
      'The entry of a list, or the value of a key of a map. If it is missing, the rule fails.',
    example: "amount <= {'llm': money('5'), 'search': money('1')}[category]",
  },
]

/** Anything longer or deeper is refused when the mandate is written. */
export const EXPRESSION_LENGTH_MAX = 2_000

/** The rule fails for a longer text, or a longer list of tags. */
export const TEXT_LENGTH_MAX = 256
export const TAGS_MAX = 32

export const PARSER_LIMITS = {
  maxAstNodes: 256,
  maxDepth: 24,
  maxListElements: 64,
  maxMapEntries: 16,
  maxCallArguments: 4,
}
