import type { Page } from 'playwright-core'
import { traceTasks } from './own-times.ts'

/**
 * Measures how long each frame of the page takes, until the end. On a busy machine a frame waits for
 * a core, so the CPU time of the page and of each task is measured too: it says what the page costs.
 */
export async function countFrames(page: Page): Promise<{ end(): Promise<string> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuTimes = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const msOf = (name: string) => (metrics.find((one) => one.name === name)?.value ?? 0) * 1_000
    const layout = msOf('LayoutDuration') + msOf('RecalcStyleDuration')
    return { all: msOf('TaskDuration'), script: msOf('ScriptDuration'), layout }
  }
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
  const before = await cpuTimes()
  const tasks = await traceTasks(page)
  return {
    async end() {
      const times = await page.evaluate<number[]>(
        '(() => { const { frameTimes } = globalThis; globalThis.frameTimes = undefined; return frameTimes })()',
      )
      const after = await cpuTimes()
      const slow = times.filter((ms) => ms > 50).length
      const longest = Math.round(Math.max(...times))
      const cpu = (name: keyof typeof after) => Math.round(after[name] - before[name])
      return (
        `${times.length} frames, ${slow} above 50 ms, the longest ${longest} ms. ` +
        `${await tasks.end()}. CPU time of the page: ${cpu('all')} ms (script ${cpu('script')}, layout ${cpu('layout')})`
      )
    },
  }
}
