import { type CallOptions, createCall, createDecisionCall, type Decided } from './call.ts'
import { fillIn } from './fill-in.ts'
import { createList } from './list.ts'
import type { Settings } from './options.ts'
import type { ApiRequest } from './request.ts'
import { send } from './send.ts'

/** Each operation as `METHOD /path flags`; a tree of them is a tree of resources. */
export interface OperationTree {
  readonly [name: string]: string | OperationTree
}

type Method = (...parameters: unknown[]) => unknown

/** Makes the methods of the client from the table of operations. */
export function buildTree(settings: Settings, operations: OperationTree): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, entry]) => [
      name,
      typeof entry === 'string' ? methodOf(settings, entry) : buildTree(settings, entry),
    ]),
  )
}

function methodOf(settings: Settings, operation: string): Method {
  const [method = '', template = '', ...flags] = operation.split(' ')
  const names = template.match(/\{\w+\}/g) ?? []
  const hasInput = flags.includes('body') || flags.includes('query') || flags.includes('list')
  return (...parameters) => {
    const ids = parameters.slice(0, names.length)
    const rest = parameters.slice(names.length)
    const input = hasInput ? (rest.shift() as object | undefined) : undefined
    const options = rest[0] as CallOptions | undefined
    // Mistakes of the caller reject the call, as errors of the gateway do.
    const answer = async (query: object | undefined) =>
      send<Decided>(settings, requestOf(method, fillIn(template, ids), flags, query), options)
    if (flags.includes('list')) {
      return createList((query) => createCall(answer(query)), input, flags.includes('offset'))
    }
    return flags.includes('decision')
      ? createDecisionCall(answer(input))
      : createCall(answer(input))
  }
}

function requestOf(
  method: string,
  path: string,
  flags: readonly string[],
  input: object | undefined,
): ApiRequest {
  if (flags.includes('body')) return { method, path, body: input }
  const { wait } = (input ?? {}) as { wait?: unknown }
  return {
    method,
    path,
    query: input,
    ...(typeof wait === 'number' && { waitMs: wait * 1000 }),
  }
}
