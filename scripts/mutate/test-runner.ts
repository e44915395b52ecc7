import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'

/** Runs tests against texts of a source that exist only in memory. */
export interface TestRunner {
  /** For each text of the source, whether all tests of these files pass with it. */
  passing(
    tests: readonly string[],
    source: string,
    texts: readonly string[],
    decided?: (count: number) => void,
  ): Promise<readonly boolean[]>
  close(): Promise<void>
}

/** A test file of a mutant may take this much longer than that of the source as it is. */
const PATIENCE = 5
const LEAST_MS = 20_000

/**
 * One Vitest for all mutants, with one worker, because starts take longer than most tests. Each mutant
 * is a run of the test files under names of its own (`counter.test.ts?mutant=7`). Before such a file
 * is loaded, the worker tells `switchTo` its mutant, and a plugin swaps the text of the source. Nothing is
 * ever written into the work tree.
 */
export async function createTestRunner(root: string): Promise<TestRunner> {
  const changed = new Map<string, string>()
  let noteEnd = (_module: TestModule): void => {}
  let longestMs = 0
  const switches = await serveSwitches()
  process.env['MUTATION_URL'] = switches.url
  const vitest = await createVitest(
    'test',
    {
      root,
      watch: false,
      reporters: [{ onTestModuleEnd: (module) => noteEnd(module) }],
      isolate: false,
      maxWorkers: 1,
      // This cache finds a module by its content on disk, so it would return the unmutated source.
      experimental: { fsModuleCache: false },
      setupFiles: [join(import.meta.dirname, 'switch-mutant.ts')],
    },
    { plugins: [{ name: 'mutate', enforce: 'pre', transform: (_code, id) => changed.get(id) }] },
  )

  /** One round ends when all tests have run, or when a mutant had to be stopped. */
  async function round(
    files: readonly string[],
    source: string,
    texts: readonly string[],
    verdicts: Verdicts,
    decided: (count: number) => void,
  ): Promise<void> {
    let current = -1
    let began = Date.now()
    const passed: number[] = []
    noteEnd = (module) => {
      longestMs = Math.max(longestMs, Date.now() - began)
      const mutant = Number(module.moduleId.split('?mutant=')[1])
      if (module.state() === 'failed') verdicts.set(mutant, false)
      if (module.state() === 'passed') passed.push(mutant)
      const isWhole = passed.filter((it) => it === mutant).length === files.length
      if (isWhole && !verdicts.has(mutant)) verdicts.set(mutant, true)
      decided(verdicts.size)
    }
    switches.use((mutant) => {
      current = mutant
      began = Date.now()
      changed.set(source, texts[mutant] ?? '')
      vitest.invalidateFile(source)
      return { source, isDecided: verdicts.has(mutant) }
    })
    const before = verdicts.size
    const left = [...texts.keys()].filter((mutant) => !verdicts.has(mutant))
    const specifications = left.flatMap((mutant) =>
      files.map((file) => vitest.getRootProject().createSpecification(`${file}?mutant=${mutant}`)),
    )
    await vitest.runTestSpecifications(specifications)
    changed.delete(source)
    vitest.invalidateFile(source)
    // Nothing was decided: the watchdog has ended the first one.
    if (verdicts.size === before) verdicts.set(current, false)
  }

  return {
    async passing(tests, source, texts, decided = () => {}) {
      const files = await findFiles(vitest, tests)
      const verdicts: Verdicts = new Map()
      if (texts.length === 1) {
        longestMs = 0
        // The limit of the source before would end slower tests of this one.
        delete process.env['MUTATION_LIMIT_MS']
      }
      while (verdicts.size < texts.length)
        await round(files, join(root, source), texts, verdicts, decided)
      // The source as it is comes first, and alone: it says how long a file takes.
      const limitMs = Math.max(LEAST_MS, longestMs * PATIENCE)
      if (texts.length === 1) process.env['MUTATION_LIMIT_MS'] = String(limitMs)
      return texts.map((_text, mutant) => verdicts.get(mutant) === true)
    },
    async close() {
      switches.close()
      await vitest.close()
    },
  }
}

type Verdicts = Map<number, boolean>

async function findFiles(vitest: Vitest, tests: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(tests.map((test) => vitest.globTestSpecifications([test])))
  const missing = tests.find((_test, at) => found[at]?.length === 0)
  if (missing !== undefined) throw new Error(`There is no test file ${missing}.`)
  return [...new Set(found.flat().map(({ moduleId }) => moduleId))]
}

interface Switched {
  readonly source: string
  readonly isDecided: boolean
}

/** The answer 410 says that the mutant is decided already, so that the rest of its files is left out. */
async function serveSwitches() {
  let switchTo = (_mutant: number): Switched => ({ source: '', isDecided: false })
  const server = createServer(({ url = '' }, response) => {
    const { source, isDecided } = switchTo(Number(url.slice(1)))
    response.statusCode = isDecided ? 410 : 200
    response.end(source)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(next: typeof switchTo) {
      switchTo = next
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
