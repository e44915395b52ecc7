import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', '{bench,scripts}/test/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    // An embedded engine takes about 330 MB, and a worker may have one open.
    pool: 'forks',
    // Our modules do nothing when imported and keep no state that a test could see, so the files of a
    // worker share them: with it the whole run took 209 s, without it 304 s.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
