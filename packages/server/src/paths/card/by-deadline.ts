/** The result of waiting until a deadline. */
export type InTime<T> = { readonly value: T } | 'late'

/**
 * Waits until `answerBy`, on the process's monotonic clock. A later result is dropped; a rejection in
 * time rejects; a value that is not a promise needs no wait.
 */
export async function byDeadline<T>(coming: T | Promise<T>, answerBy: number): Promise<InTime<T>> {
  if (!(coming instanceof Promise)) return { value: coming }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), answerBy - performance.now())
  })
  try {
    return await Promise.race([coming.then((value) => ({ value })), late])
  } finally {
    clearTimeout(timer)
  }
}
