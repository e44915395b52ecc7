import type { Page } from 'playwright-core'

/** A task of a page's main thread that takes longer holds up the next frame. */
const SLOW_MS = 50

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of CPU, without the time in which other programs had the core. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Traces the page until the end, and says what each task of its main thread costs by itself. Unlike
 * the length of a frame, this does not depend on what else the machine does.
 */
export async function traceTasks(page: Page): Promise<{ end(): Promise<string> }> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]))
  })
  const includedCategories = ['toplevel', 'devtools.timeline', '__metadata']
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories, excludedCategories: ['*'] },
  })
  return {
    async end() {
      const isOver = new Promise((done) => session.once('Tracing.tracingComplete', done))
      await session.send('Tracing.end')
      await isOver
      const times = ownTimes(events)
      const slow = times.filter((ms) => ms > SLOW_MS)
      const longest = Math.round(Math.max(0, ...times))
      return `${times.length} tasks, ${slow.length} above ${SLOW_MS} ms of their own CPU, the longest ${longest} ms`
    },
  }
}

/** Milliseconds of each task, of the renderer that did most: the page itself. */
function ownTimes(events: readonly TraceEvent[]): readonly number[] {
  const isMain = ({ ph, name, args }: TraceEvent) =>
    ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain'
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(events.filter(isMain).map(threadOf))
  const times = new Map<string, number[]>()
  for (const event of events) {
    if (!/RunTask$/.test(event.name) || event.tdur === undefined) continue
    const thread = threadOf(event)
    if (!mains.has(thread)) continue
    const list = times.get(thread) ?? []
    list.push(event.tdur / 1_000)
    times.set(thread, list)
  }
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
  return [...times.values()].toSorted((a, b) => sum(b) - sum(a))[0] ?? []
}
