import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const SERVER = 'packages/server/test'

/** The tests of `npm test` that are not about an engine, once more on the embedded one. */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: [
      'packages/cli/test/**/*.test.ts',
      `${SERVER}/{flows,gateway,http,paths,routes,webhooks}/**/*.test.ts`,
      `${SERVER}/storage/*.test.ts`,
      `${SERVER}/storage/{decisions,secrets,webhooks}/**/*.test.ts`,
    ],
    env: { PURSER_TEST_ENGINE: 'embedded' },
  },
})
