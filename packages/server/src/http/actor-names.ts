import type { FastifyRequest } from 'fastify'
import { readActorNames } from '../storage/actor-names.ts'
import type { Queryable } from '../storage/engine/database.ts'

/** The fields of shapes that name an actor. */
type ActorField = 'createdBy' | 'updatedBy' | 'changedBy'

type Actors<Field extends ActorField> = { readonly [Name in Field]: string | null }
type Names<Field extends ActorField> = { [Name in `${Field}Name`]: string | null }

type Caller = Pick<FastifyRequest, 'organizationId' | 'principal'>

/**
 * Adds the current name of each actor: `updatedByName` beside `updatedBy`. Members with a role that
 * cannot list keys or people still see who changed something. An agent-bound key gets no names: it
 * has no use for those of people.
 */
export async function withActorNames<Field extends ActorField, Shape extends Actors<Field>>(
  db: Queryable,
  { organizationId, principal }: Caller,
  field: Field,
  shapes: readonly Shape[],
): Promise<(Shape & Names<Field>)[]> {
  const actors = principal.agentIds === null ? shapes.map((shape) => shape[field]) : []
  const nameOf = await readActorNames(db, organizationId, actors)
  return shapes.map((shape) => {
    const names = { [`${field}Name`]: nameOf(shape[field]) } as Names<Field>
    return { ...shape, ...names }
  })
}

/** The same for one shape. */
export async function withActorName<Field extends ActorField, Shape extends Actors<Field>>(
  db: Queryable,
  caller: Caller,
  field: Field,
  shape: Shape,
): Promise<Shape & Names<Field>> {
  const [named] = await withActorNames<Field, Shape>(db, caller, field, [shape])
  if (!named) throw new Error('One shape with a name follows from one shape.')
  return named
}

/** The same for the entries of a page. */
export async function pageWithNames<
  Field extends ActorField,
  Shape extends Actors<Field>,
  Page extends { readonly data: readonly Shape[] },
>(db: Queryable, caller: Caller, field: Field, page: Page & { readonly data: readonly Shape[] }) {
  return { ...page, data: await withActorNames<Field, Shape>(db, caller, field, page.data) }
}
