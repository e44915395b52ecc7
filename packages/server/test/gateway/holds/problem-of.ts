import { Problem } from '../../../src/base/errors.ts'

/** The code and the further fields of the problem with which a plan refuses a change. */
export function problemOf(run: () => unknown): readonly [code: string, extra: object | undefined] {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.extra]
    throw error
  }
  throw new Error('The change was not refused.')
}
