import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'
import { DEEP_PROJECTS, HOUR_MS } from './vitest.deep.config.ts'

const SERVER = 'packages/server/test'

/**
 * Two runs that are too long for every change: the tests that are not about an engine, once more on the
 * embedded one, and the deep suite at its full size (`sized`).
 */
export default defineConfig({
  test: {
    projects: [
      {
        ...usual,
        test: {
          ...usual.test,
          name: 'usual tests, embedded',
          include: [
            'packages/cli/test/**/*.test.ts',
            `${SERVER}/{flows,gateway,http,paths,routes,webhooks}/**/*.test.ts`,
            `${SERVER}/storage/*.test.ts`,
            `${SERVER}/storage/{decisions,secrets,webhooks}/**/*.test.ts`,
            `${SERVER}/{paths,people}/**/*.deep.test.ts`,
          ],
          // Those below kill processes or need programs, on an engine that they choose themselves.
          exclude: [
            '**/*.distributed.test.ts',
            `${SERVER}/!(paths|people)/**/*.deep.test.ts`,
            'packages/cli/**/*.deep.test.ts',
            '**/{crash,guide,kill}.deep.test.ts',
          ],
          env: { PURSER_TEST_ENGINE: 'embedded' },
          testTimeout: HOUR_MS,
          hookTimeout: HOUR_MS,
        },
      },
      ...DEEP_PROJECTS.map((project) => ({
        ...project,
        test: {
          ...project.test,
          name: `${project.test.name}, full size`,
          env: { ...project.test.env, PURSER_TEST_SIZE: 'nightly' },
        },
      })),
    ],
  },
})
