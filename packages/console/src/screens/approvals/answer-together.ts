import { type AlsoDecided, type DecidedApproval, PurserError } from '@purser/sdk'

/** The result of one request. */
export interface Answered {
  readonly id: string
  readonly isDecided: boolean
  /** Why it was not decided, for a person. */
  readonly message: string | null
}

type Send = (id: string, alsoIds: readonly string[], index: number) => Promise<DecidedApproval>

/** The request itself was refused, which says nothing about the others. */
const REFUSED_ALONE = new Set([
  'approval_decided',
  'approval_not_found',
  'approval_own_request',
  'four_eyes_required',
])

/**
 * Answers several requests, each for itself. A refusal of the first request ends the whole call, so
 * the next call begins with the second one.
 */
export async function answerTogether(
  ids: readonly string[],
  send: Send,
): Promise<readonly Answered[]> {
  const answered: Answered[] = []
  for (const [index, id] of ids.entries()) {
    try {
      const { also } = await send(id, ids.slice(index + 1), index)
      return [...answered, { id, isDecided: true, message: null }, ...also.map(toAnswered)]
    } catch (error) {
      if (!(PurserError.is(error) && REFUSED_ALONE.has(error.code))) throw error
      answered.push({ id, isDecided: false, message: error.detail })
    }
  }
  return answered
}

function toAnswered({ id, decided, message }: AlsoDecided): Answered {
  return { id, isDecided: decided, message }
}
