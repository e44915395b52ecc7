import type { Page } from 'playwright-core'

/** Measures how long each frame of the page takes, until the end. */
export async function countFrames(page: Page): Promise<{ end(): Promise<string> }> {
  await page.evaluate(`{
    const times = []
    let last = performance.now()
    const next = (now) => {
      times.push(now - last)
      last = now
      if (globalThis.frameTimes === times) requestAnimationFrame(next)
    }
    globalThis.frameTimes = times
    requestAnimationFrame(next)
  }`)
  return {
    async end() {
      const times = await page.evaluate<number[]>(
        '(() => { const { frameTimes } = globalThis; globalThis.frameTimes = undefined; return frameTimes })()',
      )
      const slow = times.filter((ms) => ms > 50).length
      const longest = Math.round(Math.max(...times))
      return `${times.length} frames, ${slow} above 50 ms, the longest ${longest} ms`
    },
  }
}
