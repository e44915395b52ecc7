/**
 * How much a long test does: `deep` of it on every change, and `nightly` once a day, when
 * PURSER_TEST_SIZE=nightly.
 */
export function sized(deep: number, nightly: number): number {
  return process.env['PURSER_TEST_SIZE'] === 'nightly' ? nightly : deep
}

/**
 * The runs of a property that only computes: `usual` of them in `npm test`, and `all` in the deep suite,
 * which lists such files in vitest.deep.config.ts.
 */
export function runsOf(usual: number, all: number): number {
  return process.env['PURSER_TEST_RUNS'] === 'all' ? all : usual
}
