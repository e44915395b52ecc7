/** The payment paths that a spend can come through. A path names itself with one of these. */
export const PATH_NAMES = ['evaluate', 'x402', 'acp', 'card'] as const

export type PathName = (typeof PATH_NAMES)[number]
