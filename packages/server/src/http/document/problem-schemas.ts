import { type TSchema, Type } from 'typebox'
import { COMPONENT } from './components.ts'
import { inPascalCase, mapSchemas, type SchemaNode, type WrittenDocument } from './map-schemas.ts'
import { open } from './schemas.ts'

const CODES = 'ProblemCode'

const Problem = Type.Object(
  {
    type: Type.String({
      description: 'A URI that names the kind of problem. It ends with `code`.',
      examples: ['urn:purser:problem:mandate_conflict'],
    }),
    title: Type.String({ description: 'The kind of problem in one sentence.' }),
    status: Type.Integer({ description: 'The HTTP status of the response.' }),
    detail: Type.String({ description: 'The problem with this request, and how to fix it.' }),
    instance: Type.String({ description: 'The path of the request.' }),
    code: open(
      { [COMPONENT]: CODES },
      {
        description:
          'The machine-readable code. Base your error handling on it: codes never change their meaning. New codes may be added; handle an unknown code by its HTTP status.',
        examples: ['mandate_conflict'],
      },
    ),
    requestId: Type.String({
      description:
        'The request id, as in the header X-Request-Id. Quote it when you report a problem.',
    }),
    clientRequestId: Type.Optional(
      Type.String({
        description:
          'The id that the caller sent in the header X-Request-Id, if it has 1 to 128 letters, digits or characters of `-_.:/+=@~`. It is also in the log lines about the request.',
      }),
    ),
    errors: Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON pointer to the field, such as `/amount`.' }),
        code: Type.String({ description: 'The kind of mistake, such as `required`.' }),
        message: Type.String({ description: 'The mistake in this field.' }),
      }),
      { description: 'The invalid fields. Empty if the problem is not about fields; at most 20.' },
    ),
  },
  {
    title: 'Problem',
    additionalProperties: true,
    description: 'An error response: a problem document as defined in RFC 9457.',
  },
)

/**
 * The error response of an operation: a problem with one of the operation's codes. The list of codes
 * has its own name, because a generated type that also accepts any string no longer shows the codes.
 */
export function problemSchema(operationId: string, codes: readonly string[]): TSchema {
  const name = inPascalCase(operationId)
  const OwnCode = Type.Enum([...codes], {
    type: 'string',
    title: `${name}${CODES}`,
    description: `The problem codes that \`${operationId}\` can return. New codes may be added.`,
  })
  return {
    title: `${name}Problem`,
    allOf: [
      Problem,
      Type.Object({ code: open(OwnCode, { description: 'The machine-readable code.' }) }),
    ],
  }
}

/** Adds the list of all codes. `Problem` refers to it, and no operation contains it. */
export function withAllCodes(document: WrittenDocument): WrittenDocument {
  const codes = new Set<string>()
  mapSchemas(document, (schema) => {
    for (const code of codesOf(schema)) codes.add(code)
    return schema
  })
  const all: SchemaNode = {
    title: CODES,
    type: 'string',
    enum: [...codes].toSorted(),
    description: 'The problem codes of all operations. New codes may be added.',
  }
  return mapSchemas(document, (schema) => (schema[COMPONENT] === CODES ? all : schema))
}

function codesOf({ title, enum: values }: SchemaNode): string[] {
  const isOwn = typeof title === 'string' && title.endsWith(CODES) && Array.isArray(values)
  return isOwn ? values.map(String) : []
}
