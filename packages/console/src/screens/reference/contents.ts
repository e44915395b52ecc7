import type { ApiDocument, ApiOperation } from '../../data/openapi.ts'
import { SDK_METHODS } from '../../generated/sdk-methods.ts'

/** An operation or an event, as the list on the left names it. */
export interface Entry {
  /** The last part of the address. */
  readonly id: string
  /** The HTTP method; absent for an event. */
  readonly method?: string
  /** The path of an operation, or the kind of an event. */
  readonly path: string
  readonly operation: ApiOperation
  /** The scope that the call needs. */
  readonly scope?: string | undefined
  /** The method of the SDK, such as `gateway.evaluate`. */
  readonly sdk?: string | undefined
}

export interface EntryGroup {
  readonly name: string
  readonly description: string
  readonly entries: readonly Entry[]
}

const SCOPE = /Needs the scope `([^`]+)`/

/** Operations by tag, in the order of the document, then the events. */
export function contentsOf(document: ApiDocument): readonly EntryGroup[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => {
      const { operationId: id, description = '' } = operation
      return {
        ...{ id, method: method.toUpperCase(), path, operation },
        ...{ scope: SCOPE.exec(description)?.[1], sdk: SDK_METHODS[id] },
      }
    }),
  )
  const groups = document.tags.map(({ name, description }) => ({
    ...{ name, description },
    entries: operations.filter(({ operation }) => operation.tags[0] === name),
  }))
  const events = Object.entries(document.webhooks).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ id: operation.operationId, path, operation })),
  )
  const about = 'What the gateway sends to your webhook and to the event feed.'
  return [...groups, { name: 'Events', description: about, entries: events }].filter(
    ({ entries }) => entries.length > 0,
  )
}

/** The groups with the entries that a text finds in the words, the path, or the name of the SDK. */
export function findEntries(groups: readonly EntryGroup[], text: string): readonly EntryGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups
  const fits = ({ id, method = '', path, sdk = '', operation }: Entry) => {
    const all = [id, method, path, sdk, operation.summary].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter(fits) }))
    .filter(({ entries }) => entries.length > 0)
}
