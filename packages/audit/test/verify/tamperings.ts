import type { Random } from '../../../server/test/support/random.ts'
import {
  anEntry,
  type Entry,
  type ExportOptions,
  exportOf,
  headOf,
  LOG,
  receiptOf,
  someSigner,
} from './some-log.ts'
import type { Kept } from './verify-lines.ts'

/** A log with its export, to be tampered with. */
export interface Subject {
  readonly entries: readonly Entry[]
  readonly options: ExportOptions
  readonly lines: readonly string[]
}

export interface Tampered {
  readonly lines: readonly string[]
  /** What has to be kept elsewhere so that it shows. */
  readonly kept?: Kept
}

type Tampering = (subject: Subject, random: Random) => Tampered
export type Tamperings = Readonly<Record<string, Tampering>>

export function someSubject(entries: readonly Entry[], random: Random): Subject {
  const [a, b] = [random.between(1, entries.length), random.between(1, entries.length)]
  const pruned = [random.between(0, entries.length - 1)]
  const options = { checkpointsAt: [a, b], pruned, erased: [random.between(0, entries.length - 1)] }
  return { entries, options, lines: exportOf(entries, options) }
}

/** What a row or a line says is another. Who cannot sign leaves the checkpoints as they are. */
const ROWS: Tamperings = {
  'one letter of a line is another': ({ lines }, random) => {
    const at = random.between(0, lines.length - 1)
    const line = lines[at] ?? ''
    const place = random.between(0, line.length - 1)
    const other = random.pick([...'abcdef0123456789ABCXYZ+/= {}",:\\'])
    return { lines: lines.with(at, line.slice(0, place) + other + line.slice(place + 1)) }
  },
  'one letter of a line is missing': ({ lines }, random) => {
    const at = random.between(0, lines.length - 1)
    const line = lines[at] ?? ''
    const place = random.between(0, line.length - 1)
    return { lines: lines.with(at, line.slice(0, place) + line.slice(place + 1)) }
  },
  'an entry is another': (subject, random) =>
    withTheirSignatures(subject, replacedAt(subject.entries, random)),
  'an entry was put in between': (subject, random) => {
    const at = random.between(0, subject.entries.length)
    return withTheirSignatures(subject, subject.entries.toSpliced(at, 0, anEntry(random, at)))
  },
  'two payloads changed places': ({ entries, options }, random) => {
    const a = random.between(0, entries.length - 2)
    const [first, second] = [entries[a], entries[a + 1]]
    if (!first || !second) throw new Error('There are two entries.')
    const swapped = entries
      .with(a, { ...first, payload: second.payload, salt: second.salt })
      .with(a + 1, { ...second, payload: first.payload, salt: first.salt })
    return { lines: exportOf(swapped, { ...options, pruned: [], erased: [] }) }
  },
  'an entry was changed, and everything signed anew': ({ entries, options }, random) => {
    const heads = [headOf(entries)]
    return { lines: exportOf(replacedAt(entries, random), options), kept: { heads } }
  },
}

/** Everything is there, in another order or more than once. */
const ORDER: Tamperings = {
  'two lines change places': ({ lines }, random) => {
    const [a, b] = [random.between(0, lines.length - 1), random.between(0, lines.length - 1)]
    return { lines: lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '') }
  },
  'a line comes twice': ({ lines }, random) => {
    const at = random.between(1, lines.length - 1)
    const leaf = lines.findIndex((line, index) => index >= at && line.includes('"type":"leaf"'))
    const from = leaf < 0 ? 1 : leaf
    return { lines: lines.toSpliced(random.between(from, lines.length), 0, lines[from] ?? '') }
  },
  'two entries changed places': (subject, random) => {
    const { entries } = subject
    const a = random.between(0, entries.length - 2)
    const b = random.between(a + 1, entries.length - 1)
    const [first, second] = [entries[a], entries[b]]
    if (!first || !second) throw new Error('There are two entries.')
    return withTheirSignatures(subject, entries.with(a, second).with(b, first))
  },
}

/** Something is not there any more. */
const OMISSIONS: Tamperings = {
  'lines are missing': ({ lines }, random) => {
    const at = random.between(0, lines.length - 1)
    // Checkpoints in between are extra: the last one is over the same leaves.
    const isExtra = (line: string, index: number): boolean =>
      line.includes('"type":"checkpoint"') && index < lines.length - 1
    const rest = lines.filter((line, index) => index !== at || isExtra(line, index))
    return { lines: rest.length < lines.length ? rest : lines.slice(0, -1) }
  },
  'the end is cut off': ({ lines }, random) => {
    const cut = lines.slice(0, random.between(0, lines.length - 2))
    // An end with a checkpoint is an earlier state, which is another tampering.
    return { lines: cut.at(-1)?.includes('"type":"checkpoint"') ? cut.slice(0, -1) : cut }
  },
  'an entry is missing': (subject, random) => {
    // Without its last entry it may be an earlier state, which is another tampering.
    const at = random.between(0, subject.entries.length - 2)
    return withTheirSignatures(subject, subject.entries.toSpliced(at, 1))
  },
  'an entry was removed before it was sealed': ({ entries, options }, random) => {
    const at = random.between(0, entries.length - 1)
    const receipts = entries.map((entry) => receiptOf(entry))
    return { lines: exportOf(entries.toSpliced(at, 1), options), kept: { receipts } }
  },
}

/** What was signed is something else, or signed by somebody else. */
const HEADS: Tamperings = {
  'a letter of a checkpoint is another': ({ lines }, random) => {
    const line = lines.at(-1) ?? ''
    const place = random.between(line.indexOf('"note":"') + 8, line.length - 1)
    const other = random.pick([...'abcdef0123456789ABCXYZ+/='])
    return { lines: lines.with(-1, line.slice(0, place) + other + line.slice(place + 1)) }
  },
  'a checkpoint is one of another state': ({ entries, lines }, random) => {
    const [other = ''] = exportOf(entries.slice(0, random.between(0, entries.length - 1))).slice(-1)
    return { lines: lines.with(-1, other) }
  },
  'a checkpoint is signed by somebody else': ({ entries, options }, random) => {
    const signer = someSigner(random.between(2, 250))
    return { lines: exportOf(replacedAt(entries, random), { ...options, signer }) }
  },
  'it is the log of somebody else': ({ entries, options }) => {
    const log = 'purser/audit/org_other'
    const lines = exportOf(entries, { ...options, log, signer: someSigner(1, log) })
    return { lines: [(lines[0] ?? '').replace(log, LOG), ...lines.slice(1)] }
  },
}

/** An earlier state, which was true once: only what was kept shows it. */
const BACKUPS: Tamperings = {
  'a backup was put back': ({ entries, options }, random) => {
    const size = random.between(0, entries.length - 1)
    return {
      lines: exportOf(entries.slice(0, size), options),
      kept: headOrReceipts(entries, random),
    }
  },
  'a backup was put back, and the log went on': ({ entries, options }, random) => {
    const size = random.between(0, entries.length - 1)
    const others = entries.slice(size).map((_, index) => anEntry(random, size + index))
    const lines = exportOf([...entries.slice(0, size), ...others], options)
    return { lines, kept: headOrReceipts(entries, random) }
  },
}

/** By what is tampered with. */
export const SORTS: Readonly<Record<string, Tamperings>> = {
  rows: ROWS,
  order: ORDER,
  omissions: OMISSIONS,
  heads: HEADS,
  backups: BACKUPS,
}

/** A head of the whole log, or receipts of everything in it. */
function headOrReceipts(entries: readonly Entry[], random: Random): Kept {
  return random.pick<Kept>([
    { heads: [headOf(entries)] },
    { receipts: entries.map((entry) => receiptOf(entry)) },
  ])
}

/**
 * The lines of other entries, between the checkpoints that were signed over the true ones. Who cannot
 * sign has no further ones.
 */
function withTheirSignatures({ lines, options }: Subject, entries: readonly Entry[]): Tampered {
  const isCheckpoint = (line: string): boolean => line.includes('"type":"checkpoint"')
  const notes = lines.filter(isCheckpoint)
  return {
    lines: exportOf(entries, options).flatMap((line) =>
      isCheckpoint(line) ? notes.splice(0, 1) : [line],
    ),
  }
}

function replacedAt(entries: readonly Entry[], random: Random): Entry[] {
  const at = random.between(0, entries.length - 1)
  return entries.with(at, anEntry(random, at))
}
