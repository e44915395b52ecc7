import { Type } from 'typebox'

/** A text that part of a name must match. */
export const SearchText = Type.String({ minLength: 1, maxLength: 120, examples: ['research'] })

export const SortByUse = Type.Optional(
  Type.Enum(['percentUsed'], {
    type: 'string',
    description:
      'Largest used part of the budget first, for agents that of the active mandate. Default: newest first. Budgets change while you page, so an entry can appear twice or not at all.',
  }),
)
