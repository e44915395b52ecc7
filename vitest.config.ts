import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BUNDLED_LIBRARIES } from './packages/server/test/support/bundled-libraries.ts'

// What each command holds: CONTRIBUTING.md, Tests. The long ones are in vitest.deep.config.ts, the
// second run on the embedded engine in vitest.nightly.config.ts.
export default defineConfig({
  resolve: { conditions: ['@purser/source'], alias: [BUNDLED_LIBRARIES] },
  ssr: { resolve: { conditions: ['@purser/source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', '{bench,scripts}/test/*.test.ts'],
    exclude: ['**/*.{deep,distributed}.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    pool: 'forks',
    // Our modules do nothing when imported and keep no state that a test could see, so the files of a
    // worker share them: with it the whole run took 209 s, without it 304 s.
    isolate: false,
    // A worker runs most code only a few times. With its usual budget, V8 spends a fifth of the
    // workers' CPU on optimizing that code.
    execArgv: ['--interrupt-budget=1500000'],
    // Transformed modules are kept between runs. Their key is the file's content and the settings.
    experimental: { fsModuleCache: true },
    // Tests wait more than they compute: on 2 cores 6 workers took 6.7 min, 4 took 9.5.
    maxWorkers: availableParallelism() + 4,
    // Minutes: a busy machine is slow, and that is no fault. waitUntil ends before, and says more.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000, interval: 20 } },
  },
})
