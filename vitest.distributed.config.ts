import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

/** The gateway on a PostgreSQL that Citus distributes over two workers: `npm run test:distributed`. */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['packages/*/test/**/*.distributed.test.ts'],
    exclude: [],
    globalSetup: ['packages/server/test/support/distributed-setup.ts'],
    maxWorkers: 2,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
