import { type TSchema, Type } from 'typebox'
import { COMPONENT } from './components.ts'
import { inPascalCase, mapSchemas, type SchemaNode, type WrittenDocument } from './map-schemas.ts'
import { open } from './schemas.ts'

const CODES = 'ProblemCode'

const Problem = Type.Object(
  {
    type: Type.String({ examples: ['urn:purser:problem:mandate_conflict'] }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened and what to do, in one sentence.' }),
    instance: Type.String(),
    code: open(
      { [COMPONENT]: CODES },
      {
        description:
          'Stable; decide by this. More codes may come: take one that you do not know by its status.',
        examples: ['mandate_conflict'],
      },
    ),
    requestId: Type.String(),
    errors: Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON pointer to the field.' }),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  },
  { title: 'Problem', additionalProperties: true, description: 'RFC 9457 problem document.' },
)

/**
 * What an operation answers instead of a success: a problem with one of its own codes. The list has a
 * name of its own, because a generated type that takes any text as well no longer shows it.
 */
export function problemSchema(operationId: string, codes: readonly string[]): TSchema {
  const name = inPascalCase(operationId)
  const OwnCode = Type.Enum([...codes], {
    type: 'string',
    title: `${name}${CODES}`,
    description: `What \`${operationId}\` can answer with. More may come.`,
  })
  return {
    title: `${name}Problem`,
    allOf: [Problem, Type.Object({ code: open(OwnCode) })],
  }
}

/** Adds the list of all codes, which `Problem` names and no operation has. */
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
    description: 'What any operation can answer with. More may come.',
  }
  return mapSchemas(document, (schema) => (schema[COMPONENT] === CODES ? all : schema))
}

function codesOf({ title, enum: values }: SchemaNode): string[] {
  const isOwn = typeof title === 'string' && title.endsWith(CODES) && Array.isArray(values)
  return isOwn ? values.map(String) : []
}
