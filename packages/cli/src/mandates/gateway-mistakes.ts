import { PurserError } from '@purser/sdk'
import type { FileDocument } from './document.ts'
import type { FileMandate } from './file-mandate.ts'
import { type FileMistake, fromPointer, type PathStep, toFieldName } from './mistake.ts'

/** A spend for a simulation whose decision does not matter. */
export const PROBE = { amount: 1, vendor: 'example.com', category: 'test' }

/**
 * Waits for a call, and returns the places of the file that the gateway refuses. Other errors, such
 * as a lost connection, are thrown.
 */
export async function inFile(
  mandate: FileMandate,
  at: readonly PathStep[],
  call: PromiseLike<unknown>,
): Promise<FileMistake[]> {
  try {
    await call
    return []
  } catch (error) {
    const mistakes = toMistakes(mandate, at, error)
    if (mistakes.length === 0) throw error
    return mistakes
  }
}

/**
 * The fields that an error of the gateway names, at their lines. Empty if it names none. `at` is the
 * place of the sent spend. `skip` is 1 for a file that is itself the list of rules.
 */
export function toMistakes(
  { file, lineOf }: Pick<FileDocument, 'file' | 'lineOf'>,
  at: readonly PathStep[],
  error: unknown,
  skip = 0,
): FileMistake[] {
  if (!PurserError.is(error)) return []
  const mistake = (path: readonly PathStep[], message: string): FileMistake => ({
    file,
    line: lineOf(path),
    field: toFieldName(path),
    message,
  })
  if (error.code === 'expressions_too_costly') {
    return [mistake(['rules'].slice(skip), `are refused: ${error.detail}`)]
  }
  return error.errors.flatMap(({ path, message }) => {
    const steps = fromPointer(path)
    const isTerm = steps[0] === 'rules' || steps[0] === 'budgetTotal'
    // Terms are in the document itself, fields of a spend in its case.
    return mistake(isTerm ? steps.slice(skip) : [...at, ...steps], message)
  })
}
