import { runStepsAsync, verifierKeySteps } from '@purser/audit'
import type { Bytes } from '../base/bytes.ts'
import { ProofError } from './error.ts'
import { sha256 } from './web-crypto.ts'

/** The declaration of this file is published, so it uses no type of the audit package, which is bundled. */
interface ReadKey {
  readonly name: string
  readonly id: string
  readonly publicKey: Bytes
}

const KEYS_MAX = 100

/** Reads keys as a file for `purser verify` has them: one per line, with empty lines and comments. */
export async function readKeys(keys: string | readonly string[]): Promise<ReadKey[]> {
  const texts = (typeof keys === 'string' ? [keys] : keys)
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (texts.length === 0 || texts.length > KEYS_MAX) throw invalidKeys('There is no trusted key.')
  return Promise.all(
    texts.map(async (text) => {
      const key = await runStepsAsync(verifierKeySteps(text), sha256)
      if (!key) throw invalidKeys('A trusted key is not a key of an audit log, or was changed.')
      return key
    }),
  )
}

function invalidKeys(fault: string): ProofError {
  return new ProofError(
    'keys_invalid',
    `${fault} A key is one line, such as purser/audit/org_…+937f7438+AYqI….`,
  )
}
