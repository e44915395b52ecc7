import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE_FOLDER } from '../base/package-folder.ts'
import type { IsCommon } from '../core/people/password-policy.ts'

/** So much of the SHA-256 of each password is in the list: enough that no other text is taken for one. */
export const DIGEST_BYTES = 5

/** What is guessed first at a gateway like this, and not everywhere. */
const OWN: ReadonlySet<string> = new Set(['administrator', 'changeme', 'purser', 'purseradmin'])

/**
 * The 10,000 most common passwords. The list has them as hashes, in order: they are no words that a
 * repository should be full of. lists/README.md says where they come from.
 */
export async function loadCommonPasswords(): Promise<IsCommon> {
  const list = await readFile(join(PACKAGE_FOLDER, 'lists', 'common-passwords.bin'))
  return (text) => OWN.has(text) || hasDigest(list, digestOf(text))
}

export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES)
}

function hasDigest(list: Buffer, wanted: Buffer): boolean {
  let [from, to] = [0, list.length / DIGEST_BYTES]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const begin = middle * DIGEST_BYTES
    const order = wanted.compare(list, begin, begin + DIGEST_BYTES)
    if (order === 0) return true
    if (order < 0) to = middle
    else from = middle + 1
  }
  return false
}
