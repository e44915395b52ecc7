import { Purser } from '@purser/sdk'

/** The client of every screen. It sends the session's cookie instead of a key. */
export const purser = new Purser({ apiKey: null, retries: 2, timeoutMs: 20_000 })
