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
  },
})
