import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const SERVER = 'packages/server/test'
export const HOUR_MS = 60 * 60 * 1_000
/** Fewer than in `npm test`, because many of these tests start processes. Projects must agree. */
const WORKERS = availableParallelism() + 2

/**
 * What takes too long to be run before every commit. Two projects: the tests that are long, and those
 * that `npm test` runs on the usual engine only because they are long on the embedded one
 * (`describeOnUsualEngine`).
 */
export const DEEP_PROJECTS = [
  {
    ...usual,
    test: {
      ...usual.test,
      name: 'long',
      include: [
        'packages/*/test/**/*.deep.test.ts',
        'scripts/test/*.deep.test.ts',
        // With more runs (`runsOf`) or values than in `npm test`.
        `${SERVER}/core/{card-number,analytics/exposure,mandates/narrowed-parent}.test.ts`,
        `${SERVER}/core/decision/{advice,codes,target}.test.ts`,
        `${SERVER}/http/bad-input.test.ts`,
      ],
      exclude: [],
      env: { PURSER_TEST_DISK: '1', PURSER_TEST_RUNS: 'all' },
      maxWorkers: WORKERS,
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
        `${SERVER}/retention.deep.test.ts`,
        `${SERVER}/analytics/sums-equal-export.test.ts`,
        `${SERVER}/gateway/{hold-sweeper,hold-sweeper-batches,hot-plans}.test.ts`,
        `${SERVER}/storage/decisions/one-and-many.test.ts`,
        `${SERVER}/storage/engine/{column-types,first-failure,migrate,statistics,wire-array}.test.ts`,
        `${SERVER}/storage/engine/{old-partitions,partitions}.test.ts`,
      ],
      exclude: [],
      env: { PURSER_TEST_ENGINE: 'embedded' },
      maxWorkers: WORKERS,
    },
  },
]

export default defineConfig({ test: { projects: DEEP_PROJECTS } })
