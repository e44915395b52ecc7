import { readdir } from 'node:fs/promises'
import { ENUM_NAMES } from '../../packages/server/src/http/document/enum-names.ts'
import type { OpenApi, Schema } from '../sdk/document.ts'
import type { ConsoleRoute } from './routes.ts'

/** The schemas of all routes, with references to those that have a name. */
export interface NamedRoutes {
  readonly routes: readonly ConsoleRoute[]
  /** The schemas by their names, in the order of their first use. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Names that `@purser/sdk` exports. */
  readonly imported: readonly string[]
}

const ROUTES_FOLDER = new URL('../../packages/server/src/people/routes/', import.meta.url)
const PREFIX = '#/components/schemas/'

/**
 * Gives every body, query and answer a name. A schema with a title has that name, and one that a
 * file of the routes exports has the name of the export. All others are named by their operation.
 */
export async function nameSchemas(
  routes: readonly ConsoleRoute[],
  api: OpenApi,
): Promise<NamedRoutes> {
  const exported = await readExportedSchemas()
  const schemas = new Map<string, Schema>()
  const imported = new Set<string>()

  function refer(name: string, schema: Schema): Schema {
    if (isInApi(name, schema, api)) imported.add(name)
    else {
      const known = schemas.get(name)
      const named = inside(schema)
      if (known && JSON.stringify(known) !== JSON.stringify(named)) {
        throw new Error(`Two different schemas of /console/api are called ${name}.`)
      }
      schemas.set(name, named)
    }
    return { $ref: PREFIX + name }
  }

  function inside(schema: Schema): Schema {
    const { properties, items, anyOf, additionalProperties } = schema
    const fields = Object.entries(properties ?? {}).map(([key, one]) => [key, named(one)])
    // A choice between a value and null is described at the value.
    const description = schema.description ?? anyOf?.find((one) => one.description)?.description
    return {
      ...schema,
      ...(description !== undefined && { description }),
      ...(properties && { properties: Object.fromEntries(fields) }),
      ...(items && { items: named(items) }),
      ...(anyOf && { anyOf: anyOf.map((one) => named(one)) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: named(additionalProperties),
      }),
    }
  }

  function named(schema: Schema, otherwise?: string): Schema {
    const name = schema.title ?? exported.get(keyOf(schema)) ?? apiEnumOf(schema) ?? otherwise
    if (name === undefined) return inside(schema)
    const reference = refer(name, schema)
    return schema.description === undefined || schema.properties
      ? reference
      : { ...reference, description: schema.description }
  }

  const changed = routes.map((route) => {
    const name = `${route.id.charAt(0).toUpperCase()}${route.id.slice(1)}`
    const { query, body, answer } = route
    return {
      ...route,
      query: query && named(query, `${name}Query`),
      body: body && named(body, name),
      answer: answer && named(answer, `${name}Answer`),
    }
  })
  return { routes: changed, schemas, imported: [...imported].sort() }
}

/** The names of the objects and lists of values that the files of the routes export. */
async function readExportedSchemas(): Promise<Map<string, string>> {
  const files = (await readdir(ROUTES_FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  const names = new Map<string, string>()
  for (const file of files) {
    const module: Record<string, unknown> = await import(new URL(file, ROUTES_FOLDER).href)
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'object' || value === null) continue
      if ('properties' in value || 'enum' in value) names.set(keyOf(value), name)
    }
  }
  return names
}

/** Equal for schemas that allow the same values: a description belongs to the use of a schema. */
function keyOf(schema: object): string {
  return JSON.stringify({ ...schema, description: undefined })
}

/** The name of a list of values that the API has too. */
function apiEnumOf({ enum: values }: Schema): string | undefined {
  const list = JSON.stringify(values)
  return Object.entries(ENUM_NAMES).find(([, one]) => JSON.stringify(one) === list)?.[0]
}

/** Whether the API has the same schema, so that the SDK exports its type. */
function isInApi(name: string, schema: Schema, api: OpenApi): boolean {
  const known = api.components.schemas[name]
  if (!known) return false
  const shape = ({ properties = {}, enum: values = [] }: Schema) =>
    JSON.stringify([Object.keys(properties).sort(), values])
  if (shape(known) === shape(schema)) return true
  throw new Error(`The API has a different schema that is called ${name}.`)
}
