import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { beforeEach, vi } from 'vitest'

/*
 * Loaded before each test file of a mutation run, in the worker. Chooses the mutant that the name of the
 * file asks for, and loads all modules again, so that the file gets that text of the source.
 */

interface Shared {
  readonly __vitest_worker__: {
    readonly filepath: string
    readonly evaluatedModules: {
      getModulesByFile(file: string): Set<object> | undefined
      invalidateModule(module: object): void
    }
  }
  mutationWatchdog?: Worker
}

/** A mutant can loop for ever, which no timer of the same thread can end: a second thread does. */
const WATCH = `
  const { parentPort } = require('node:worker_threads')
  let timer
  parentPort.on('message', (ms) => {
    clearTimeout(timer)
    timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), ms)
  })
`

const shared = globalThis as unknown as Shared
const { filepath, evaluatedModules } = shared.__vitest_worker__
const [, mutant] = filepath.split('?mutant=')
shared.mutationWatchdog ??= new Worker(WATCH, { eval: true })
shared.mutationWatchdog.unref()
shared.mutationWatchdog.postMessage(Number(process.env['MUTATION_LIMIT_MS'] ?? 300_000))

const answer = await fetch(`${process.env['MUTATION_URL']}/${mutant}`)
const source = await answer.text()
if (!answer.ok) throw new Error('The mutant is decided.')
// The worker keeps the code of modules that it loads again, except where it is told to drop it.
for (const module of evaluatedModules.getModulesByFile(source) ?? [])
  evaluatedModules.invalidateModule(module)
vi.resetModules()

/** One failure decides, so the rest of the file need not run, and no smaller example is looked for. */
fc.configureGlobal({ endOnFailure: true })
let hasFailed = false
beforeEach(({ skip, onTestFailed }) => {
  skip(hasFailed, 'The mutant is decided.')
  onTestFailed(() => {
    hasFailed = true
  })
})
