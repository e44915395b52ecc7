/** Resolves when `done` does, or after `ms` at the latest. */
export async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([done, over])
  } finally {
    clearTimeout(timer)
  }
}
