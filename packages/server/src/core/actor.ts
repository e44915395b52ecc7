import { toPublicId } from './id.ts'
import type { Principal } from './principal.ts'

/** Who changes something: a caller of the API, the operator at the storage, or the gateway itself. */
export type Actor =
  | { readonly kind: 'key' | 'member'; readonly id: string; readonly name: string }
  | { readonly kind: 'cli' | 'system'; readonly id: null; readonly name: null }

/** A caller of the API, who is named beside what it changes. */
export type Author = Pick<Principal, 'kind' | 'id'>

/** The operator, who works on the storage itself. */
export const OPERATOR: Actor = { kind: 'cli', id: null, name: null }

/** The gateway itself, where nobody has asked. */
export const GATEWAY: Actor = { kind: 'system', id: null, name: null }

/** The source of a regular expression for how an actor is shown. */
export const ACTOR_PATTERN = '^(key_[0-9a-f]{32}|mem_[0-9a-f]{32}|cli|system)$'

export function actorOf({ kind, id, name }: Principal): Actor {
  return { kind, id, name }
}

/** How an actor is shown and kept beside what it changed: its kind is part of the text. */
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
