import type { ApiDocument, ApiSchema } from '../../data/openapi.ts'
import type { Entry } from './contents.ts'
import { resolve } from './shape.ts'

const JSON_TYPE = 'application/json'
/** Deep enough for every object of the API. A schema that holds itself would have no end. */
const DEPTH_MAX = 6

/** An example of a value: that of the document, otherwise one made of its fields' examples. */
export function exampleOf(document: ApiDocument, schema: ApiSchema, depth = 0): unknown {
  const whole = resolve(document, schema)
  const { examples, const: only, enum: values, properties, items, required = [] } = whole
  if (examples && examples.length > 0) return examples[0]
  if (only !== undefined) return only
  if (whole.default !== undefined) return whole.default
  if (values) return values[0]
  const [first] = whole.oneOf ?? whole.anyOf ?? []
  if (first) return exampleOf(document, first, depth)
  if (properties && depth < DEPTH_MAX) {
    const shown = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(
      shown.map(([name, one]) => [name, exampleOf(document, one, depth + 1)]),
    )
  }
  if (items) return depth < DEPTH_MAX ? [exampleOf(document, items, depth + 1)] : []
  return plainExample(whole)
}

function plainExample({ type, minimum = 1 }: ApiSchema): unknown {
  const name = typeof type === 'string' ? type : type?.[0]
  if (name === 'number' || name === 'integer') return minimum
  if (name === 'boolean') return true
  return name === 'string' ? 'text' : name === 'object' ? {} : null
}

/** The body that the request of an operation has in the examples; undefined without a body. */
export function bodyExample(document: ApiDocument, { operation }: Entry): unknown {
  const content = operation.requestBody?.content[JSON_TYPE]
  if (!content?.schema) return undefined
  return content.example ?? exampleOf(document, content.schema) ?? {}
}

export interface AnswerExample {
  readonly status: string
  readonly text: string
  readonly isJson: boolean
}

/** The answer to a call that succeeds. */
export function answerExample(document: ApiDocument, { operation }: Entry): AnswerExample | null {
  const found = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  if (!found) return null
  const [status, { content = {} }] = found
  const json = content[JSON_TYPE]
  if (json?.schema) {
    const value = json.example ?? exampleOf(document, json.schema)
    return { status, text: JSON.stringify(value, null, 2), isJson: true }
  }
  const [other] = Object.values(content)
  const text = typeof other?.example === 'string' ? other.example : ''
  return text === '' ? null : { status, text, isJson: false }
}
