/**
 * How many transactions are counted while the mandate is locked: `atOnce` when its rules change,
 * and `perStep` in each later step for the rest. Tests use smaller numbers.
 */
export const PAST_ROWS = { atOnce: 5_000, perStep: 1_000 }
