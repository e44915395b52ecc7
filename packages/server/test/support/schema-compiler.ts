import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApiDocument, Schema } from './operations.ts'

const OPTIONS: Options = {
  strict: false,
  discriminator: false,
  validateFormats: false,
  // Every worker compiles most of the document. These two take a third of that work away.
  inlineRefs: false,
  code: { optimize: false },
}

export interface SchemaCompiler {
  /** Throws if a reference has no target. The same schema is compiled once. */
  compile(schema: Schema): ValidateFunction
  /** The mistakes of the last value. */
  errorsOf(validate: ValidateFunction): string
}

/** Compiles schemas of the document as a client of the API would. */
export function createSchemaCompiler(document: OpenApiDocument): SchemaCompiler {
  return compilerWith(new Ajv(OPTIONS), document)
}

/** Follows exactly the JSON schema draft that OpenAPI 3.1 names. */
export function createStrictCompiler(document: OpenApiDocument): SchemaCompiler {
  return compilerWith(new Ajv2020(OPTIONS), document)
}

/**
 * The components are added once, and schemas refer to them by the name of the document. If they
 * were copied into each schema, each compilation would process all of them.
 */
function compilerWith(ajv: Ajv | Ajv2020, document: OpenApiDocument): SchemaCompiler {
  const compiled = new Map<Schema, ValidateFunction>()
  // The same name occurs in many places.
  const byText = new Map<string, ValidateFunction>()
  ajv.addSchema({ $id: 'document', components: document.components })

  function compileNew(schema: Schema): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const validate = byText.get(text) ?? ajv.compile(JSON.parse(text))
    byText.set(text, validate)
    compiled.set(schema, validate)
    return validate
  }

  return {
    compile: (schema) => compiled.get(schema) ?? compileNew(schema),
    errorsOf: ({ errors }) => ajv.errorsText(errors),
  }
}
