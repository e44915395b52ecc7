import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../card-samples')

/** Payloads in the form that issuers send, with values of our own. */
export function sampleBytes(file: string): Buffer {
  return readFileSync(join(FOLDER, `${file}.json`))
}

// biome-ignore lint/suspicious/noExplicitAny: tests change payloads in ways that no type allows.
export function sample(file: string): any {
  return JSON.parse(sampleBytes(file).toString())
}

/** The numbered payloads of an issuer: requests and events. */
export function sampleNames(provider: string): readonly string[] {
  return readdirSync(join(FOLDER, provider))
    .filter((file) => /^\d\d_/.test(file))
    .map((file) => `${provider}/${file.replace('.json', '')}`)
}
