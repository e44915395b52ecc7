import { toPublicId } from './id.ts'
import type { Principal } from './principal.ts'

/** The author of a change: a caller of the API, the operator at the storage, or the gateway itself. */
export type Actor =
  | { readonly kind: 'key' | 'member'; readonly id: string; readonly name: string }
  | { readonly kind: 'cli' | 'system'; readonly id: null; readonly name: null }

/** A caller of the API, named beside its change. */
export type Author = Pick<Principal, 'kind' | 'id'>

/** The operator, who works directly on the storage. */
export const OPERATOR: Actor = { kind: 'cli', id: null, name: null }

/** The gateway itself, acting without a request. */
export const GATEWAY: Actor = { kind: 'system', id: null, name: null }

/** The source of a regular expression for the text of an actor. */
export const ACTOR_PATTERN = '^(key_[0-9a-f]{32}|mem_[0-9a-f]{32}|cli|system)$'

export function actorOf({ kind, id, name }: Principal): Actor {
  return { kind, id, name }
}

/** The text of an actor, as it is shown and stored beside its change. It includes the kind. */
export function actorText(actor: Actor | Author): string {
  switch (actor.kind) {
    case 'key':
      return toPublicId('key', actor.id)
    case 'member':
      return toPublicId('mem', actor.id)
    case 'cli':
    case 'system':
      return actor.kind
  }
}
