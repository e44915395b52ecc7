/**
 * How much a long test does: `deep` of it on every change, and `nightly` once a day, when
 * PURSER_TEST_SIZE=nightly.
 */
export function sized(deep: number, nightly: number): number {
  return process.env['PURSER_TEST_SIZE'] === 'nightly' ? nightly : deep
}
