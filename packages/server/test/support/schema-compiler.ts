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
export function schemaCompilerOf(document: OpenApiDocument): SchemaCompiler {
  return sharedBy(usual, document, () => new Ajv(OPTIONS))
}

/** Follows exactly the JSON schema draft that OpenAPI 3.1 names. */
export function strictCompilerOf(document: OpenApiDocument): SchemaCompiler {
  return sharedBy(strict, document, () => new Ajv2020(OPTIONS))
}

type Compilers = WeakMap<OpenApiDocument, SchemaCompiler>
const usual: Compilers = new WeakMap()
const strict: Compilers = new WeakMap()

function sharedBy(
  compilers: Compilers,
  document: OpenApiDocument,
  createAjv: () => Ajv | Ajv2020,
): SchemaCompiler {
  const compiler = compilers.get(document) ?? compilerWith(createAjv(), document)
  compilers.set(document, compiler)
  return compiler
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
