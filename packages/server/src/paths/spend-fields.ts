import { Type } from 'typebox'
import { Metadata } from '../http/schemas.ts'

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
  metadata: Type.Optional(Metadata),
}
