/**
 * How many transactions are counted while the mandate is locked: when its rules change, and in each
 * step that follows where these were too few. Tests use less.
 */
export const PAST_ROWS = { atOnce: 5_000, perStep: 1_000 }
