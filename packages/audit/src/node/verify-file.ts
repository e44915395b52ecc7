import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Compared } from '../verify/findings-text.ts'
import type { Known } from '../verify/known.ts'
import { tellNoExport } from '../verify/unknown-line.ts'
import { createExportVerifier, type Findings } from '../verify/verify-export.ts'
import { createProgress, type Progress } from './progress.ts'
import { type KnownFiles, readKnown } from './read-known.ts'
import { readLines } from './read-lines.ts'
import { findUnreadable } from './unreadable-file.ts'

export type Outcome =
  | { readonly kind: 'fits'; readonly findings: Findings; readonly compared: Compared }
  | { readonly kind: 'mismatch'; readonly text: string }
  /**
   * A file cannot be read or is not the right kind, so nothing was verified; or a kept head or
   * receipt cannot be compared with this export.
   */
  | { readonly kind: 'undecided'; readonly text: string }

/** The usual name for standard input. */
const STANDARD_INPUT = '-'

/**
 * Verifies an export with the keys, heads and receipts of the user. It reads the file once, chunk
 * by chunk.
 */
export async function verifyFile(
  file: string,
  files: KnownFiles,
  write: (text: string) => void,
): Promise<Outcome> {
  const isInput = file === STANDARD_INPUT
  try {
    const unreadable = await findUnreadable([...(isInput ? [] : [file]), ...namesOf(files)])
    if (unreadable !== undefined) return { kind: 'undecided', text: unreadable }
    const known = await readKnown(files)
    if (typeof known === 'string') return { kind: 'undecided', text: known }
    const progress = createProgress(isInput ? undefined : (await stat(file)).size, write)
    return await verifyPieces(isInput ? process.stdin : createReadStream(file), known, progress)
  } catch (error) {
    // Only errors of the file system have `syscall`, and their message names the file.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return { kind: 'undecided', text: error.message }
  }
}

function namesOf({ key, heads, receipts }: KnownFiles): string[] {
  return [key, ...heads, ...(receipts === undefined ? [] : [receipts])]
}

async function verifyPieces(
  pieces: AsyncIterable<Buffer>,
  known: Known,
  progress: Progress,
): Promise<Outcome> {
  const compared = { heads: known.heads.count, receipts: known.receipts.count() }
  const verifier = createExportVerifier(known)
  let last = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      yield piece
      progress.tell(piece.length, verifier)
    }
  }
  for await (const lines of readLines(counted())) {
    for (const { number, text } of lines) {
      const mistake = verifier.take(text)
      if (mistake !== undefined) return tellLine(number, text, mistake)
      last = number
    }
  }
  if (last === 0) return { kind: 'undecided', text: 'The export is empty.' }
  const ending = verifier.end()
  switch (ending.kind) {
    case 'fits':
      return { ...ending, compared }
    case 'mismatch':
      return { kind: 'mismatch', text: `After line ${last}: ${ending.text}.` }
    case 'incomparable':
      return { kind: 'undecided', text: `The export itself fits, but ${ending.text}.` }
  }
}

function tellLine(number: number, text: string | undefined, mistake: string): Outcome {
  const none = number === 1 ? tellNoExport(text) : undefined
  return none === undefined
    ? { kind: 'mismatch', text: `Line ${number}: ${mistake}.` }
    : { kind: 'undecided', text: `Line 1: ${none}.` }
}
