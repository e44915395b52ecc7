import { Purser } from '@purser/sdk'
import { CLIENT_OPTIONS } from './client.ts'

/** A client with backtests and exports that report their progress. `load-streaming.ts` loads it when it is needed. */
export const streaming = new Purser(CLIENT_OPTIONS)
