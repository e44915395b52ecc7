import { Purser } from '@purser/sdk'
import type { Credentials } from './credentials.ts'
import { nodeFetch } from './node-fetch.ts'

/** How often to repeat a failed request: a person waits. */
const RETRIES = 2

/** Makes the client of a command. */
export function createClient({ url, apiKey }: Credentials): Purser {
  return new Purser({
    apiKey,
    baseUrl: url,
    retries: RETRIES,
    fetch: nodeFetch,
    // The user named the address, so they decide whether the key may travel over plain http.
    allowHttp: true,
  })
}
