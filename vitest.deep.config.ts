import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const SERVER = 'packages/server/test'
const HOUR_MS = 60 * 60 * 1_000

/**
 * What takes too long to be run before every commit. Two projects: the tests that are long, and those
 * of `npm test` that are not about an engine once more, on the embedded one.
 */
export default defineConfig({
  test: {
    projects: [
      {
        ...usual,
        test: {
          ...usual.test,
          name: 'long',
          include: ['packages/*/test/**/*.deep.test.ts'],
          exclude: [],
          env: { PURSER_TEST_DISK: '1' },
          testTimeout: HOUR_MS,
          hookTimeout: HOUR_MS,
        },
      },
      {
        ...usual,
        test: {
          ...usual.test,
          name: 'embedded',
          include: [
            'packages/cli/test/**/*.test.ts',
            `${SERVER}/{flows,gateway,http,paths,routes,webhooks}/**/*.test.ts`,
            `${SERVER}/storage/*.test.ts`,
            `${SERVER}/storage/{decisions,secrets,webhooks}/**/*.test.ts`,
          ],
          env: { PURSER_TEST_ENGINE: 'embedded' },
        },
      },
    ],
  },
})
