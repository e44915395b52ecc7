/** The part of JSON Schema that the inputs of tools use. */
export type FieldSchema =
  | {
      readonly type: 'string'
      readonly description: string
      readonly enum?: readonly string[]
      readonly minLength?: number
      readonly maxLength?: number
      readonly pattern?: string
    }
  | {
      readonly type: 'number' | 'integer'
      readonly description: string
      readonly exclusiveMinimum?: number
      readonly minimum?: number
      readonly maximum?: number
    }
  | {
      readonly type: 'object'
      readonly description: string
      readonly additionalProperties: { readonly type: 'string' }
    }

/** The JSON Schema of a tool's input. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

export function inputSchema(
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[] = [],
): InputSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

export const AGENT_ID: FieldSchema = {
  type: 'string',
  description: 'The id of the agent. Leave it out if the API key belongs to one agent.',
  minLength: 1,
  maxLength: 100,
}

export const PURCHASE_ID: FieldSchema = {
  type: 'string',
  description:
    'Your own name for this purchase, such as `report-2026-11-dataset`. Use the same name and the same arguments whenever you try the same purchase again: it is then never bought twice. Use a new name for every new purchase. The gateway remembers a name for 7 days.',
  minLength: 1,
  maxLength: 200,
}

/** What a tool must know about a spend. */
export const SPEND_FIELDS = {
  amount: {
    type: 'number',
    description:
      'The price in units of the currency (12.5 means 12.50), with at most six decimals.',
    exclusiveMinimum: 0,
  },
  vendor: {
    type: 'string',
    description: 'The host name of the vendor, such as `api.openai.com`.',
    minLength: 1,
    maxLength: 2000,
  },
  category: {
    type: 'string',
    description: 'The category of the purchase, such as `llm` or `travel`.',
    minLength: 1,
    maxLength: 200,
  },
  currency: {
    type: 'string',
    description: "ISO 4217 code, or USDC or EURC. Default: the mandate's currency.",
    minLength: 3,
    maxLength: 4,
  },
  reference: {
    type: 'string',
    description: 'A reference of your own, such as an order number.',
    minLength: 1,
    maxLength: 500,
  },
  reason: {
    type: 'string',
    description: 'Why you buy this, in one sentence. People read it.',
    minLength: 1,
    maxLength: 1000,
  },
  agentId: AGENT_ID,
} as const satisfies Record<string, FieldSchema>

export const HOLD_FOR: FieldSchema = {
  type: 'string',
  description:
    'Reserve the amount instead of spending it at once, for example `15m`, `2h` or `7d`. Call settle_spend when you know what was paid.',
  pattern: '^[0-9]{1,7}[smhd]$',
}
