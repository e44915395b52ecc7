import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

/**
 * The console in a real browser, against a real gateway: `npm run test:e2e`. Each worker runs one
 * Chromium, which needs most of a core.
 */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts', 'e2e/support/build-console.ts'],
    maxWorkers: 2,
    // The longest test takes 50 s on a busy machine of two cores, most of it in one poll.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000, interval: 20 } },
  },
})
