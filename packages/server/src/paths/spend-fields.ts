import { Type } from 'typebox'

/** What a spend may say of itself on every path that an agent calls. It is kept, and mostly not judged. */
export const ToldFields = {
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Your own name for the purchase.' }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Why the agent spends; kept, not judged.',
    }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String({ pattern: '^.{1,64}$' }), Type.String({ maxLength: 500 }), {
      maxProperties: 20,
    }),
  ),
}
