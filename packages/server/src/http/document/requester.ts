import { type Static, Type } from 'typebox'
import { toPublicId } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import type { Requester as StoredRequester } from '../../storage/actor-names.ts'
import { exampleId } from './examples.ts'
import { open } from './schemas.ts'

export const REQUESTER_EXAMPLE = { kind: 'key', id: exampleId('key'), name: 'Research crew' }

/** The sender of a spend, with its current name. */
export const Requester = Type.Object(
  {
    kind: open(Type.Enum(['key', 'member', 'issuer'], { type: 'string' }), {
      description:
        'The kind of sender: an API key, a member, or the card issuer of a card connection. New kinds may be added.',
    }),
    id: Type.String({
      description:
        'The id of the key (`key_…`), the member (`mem_…`) or the connection (`conn_…`).',
    }),
    name: Type.String({ description: 'The current or last name of the sender.' }),
  },
  { title: 'Requester', examples: [REQUESTER_EXAMPLE] },
)

const PREFIXES = { key: 'key', member: 'mem', issuer: 'conn' } as const

function toRequesterShape({ kind, id, name }: StoredRequester): Static<typeof Requester> {
  return { kind, id: toPublicId(PREFIXES[kind], id), name }
}

/** The requester as the viewer may see it: an agent-bound key sees no other keys and no members. */
export function requesterFor(
  viewer: Pick<Principal, 'agentIds' | 'id'>,
  requester: StoredRequester | null,
): Static<typeof Requester> | null {
  if (requester === null) return null
  if (viewer.agentIds !== null && requester.id !== viewer.id) return null
  return toRequesterShape(requester)
}
