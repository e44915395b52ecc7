import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

const FOLDER = join(import.meta.dirname, 'published')

/** The versions whose schemas and examples are published. */
export const PUBLISHED = ['2026-04-17', '2026-01-30'] as const
export type PublishedVersion = (typeof PUBLISHED)[number]

export interface Example {
  /** The file, and the name in it. */
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: examples have the shapes of the whole protocol.
  readonly value: any
}

export function isPublished(version: string): version is PublishedVersion {
  return PUBLISHED.some((name) => name === version)
}

/** Every example that the protocol publishes with a version; each part of a file is one example. */
export function examplesOf(version: PublishedVersion): readonly Example[] {
  const folder = join(FOLDER, version)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.json') && !file.startsWith('schema.'))
    .sort()
    .flatMap((file) => {
      const content: object = readJson(join(folder, file))
      const parts = Object.entries(content).map(([name, value]) => ({
        name: `${file} ${name}`,
        value,
      }))
      return [{ name: file, value: content }, ...parts]
    })
}

/** One example of the checkout API. */
export function exampleOf(version: PublishedVersion, name: string): Example['value'] {
  const examples = readJson(join(FOLDER, version, 'examples.agentic_checkout.json'))
  assert(name in examples, `${name} is published`)
  return structuredClone(examples[name])
}

const schemas = new Map<string, Ajv2020>()

/** Checks a value against a published schema. Returns the mistake, or undefined. */
export function violationOf(
  version: PublishedVersion,
  schema: 'agentic_checkout' | 'delegate_payment',
  definition: string,
  value: unknown,
): string | undefined {
  const key = `${version} ${schema}`
  const ajv = schemas.get(key) ?? open(version, schema)
  schemas.set(key, ajv)
  const validate: ValidateFunction | undefined = ajv.getSchema(`published#/$defs/${definition}`)
  assert(validate, `${definition} is in the schema`)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

function open(version: PublishedVersion, schema: string): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const published = readJson(join(FOLDER, version, `schema.${schema}.json`))
  return ajv.addSchema({ ...published, $id: 'published' })
}

function readJson(path: string): Example['value'] {
  return JSON.parse(readFileSync(path, 'utf8'))
}
