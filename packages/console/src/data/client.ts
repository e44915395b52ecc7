import { createApi } from '@purser/sdk/api'

export const CLIENT_OPTIONS = { apiKey: null, retries: 2, timeoutMs: 20_000 } as const

/** The client of every screen. It sends the session's cookie instead of a key. */
export const purser = createApi(CLIENT_OPTIONS)
