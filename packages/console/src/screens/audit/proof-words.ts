import type { EntryCheck, StepOutcome } from '@purser/sdk/verify'
import { formatCount } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import type { Tone } from '../../words/words.ts'

/** A step of the check, for a person. */
export interface ProofStep {
  readonly key: 'record' | 'inclusion' | 'signature' | 'growth'
  readonly outcome: StepOutcome
  readonly title: string
  readonly text: string
}

export interface ProofFacts {
  readonly check: EntryCheck
  readonly index: number
  readonly leaf: string
  readonly commitment: string
  readonly isFirstSight: boolean
  /** "3 October": since when this browser knows the key. */
  readonly keySince: string
  /** "2 min ago": when the kept head was checked. */
  readonly headAt: string
  readonly headSize: number | null
}

/** The result in one sentence. */
export function verdictWords(
  { record, inclusion, signature, growth }: EntryCheck,
  isFirstSight: boolean,
): {
  readonly tone: Tone
  readonly title: string
  readonly text: string
} {
  if (record.outcome === 'refuted') {
    return {
      ...{ tone: 'no', title: 'This record does not fit its hash.' },
      text: 'Keep this page, export the log, and tell the person who runs the gateway.',
    }
  }
  if (inclusion.outcome === 'refuted') {
    return {
      ...{ tone: 'no', title: 'This leaf is not in the signed log.' },
      text: 'Keep this page, export the log, and tell the person who runs the gateway.',
    }
  }
  if (signature.fault === 'unknown_key') {
    return {
      ...{ tone: 'no', title: 'The log is signed with a key that this browser does not know.' },
      text: 'Compare it with the one you keep.',
    }
  }
  if (signature.outcome === 'refuted') {
    return {
      ...{ tone: 'no', title: 'The signature of the log is wrong.' },
      text: 'The signed state was changed or is forged. Keep this page and export the log.',
    }
  }
  if (growth.outcome === 'refuted') {
    return {
      ...{ tone: 'no', title: 'The log does not continue from the head that this browser keeps.' },
      text: 'It was shortened or rebuilt since then. Keep this page and export the log.',
    }
  }
  if (record.outcome === 'unchecked' || inclusion.outcome === 'unchecked') {
    return {
      ...{ tone: 'ask', title: 'Not checked here.' },
      text: 'A browser checks proofs only on https pages and on localhost.',
    }
  }
  if (signature.outcome === 'unchecked') {
    return {
      ...{ tone: 'ask', title: 'Checked in part.' },
      text: 'The record is in the tree, but this browser cannot check who signed the tree.',
    }
  }
  if (growth.outcome === 'unchecked' && growth.from !== null) {
    return {
      ...{ tone: 'ask', title: 'Checked in part.' },
      text: 'The record is in the signed log, but this browser cannot check that the log only grew.',
    }
  }
  return {
    ...{ tone: 'ok', title: 'Proven in this browser.' },
    text: `This record is in the log that ${isFirstSight ? 'the key below' : 'your key'} signed, and has not changed since.`,
  }
}

/** The four steps, in the order of the check. */
export function proofSteps(facts: ProofFacts): readonly ProofStep[] {
  const { check } = facts
  return [
    { key: 'record', ...titled(check.record.outcome, RECORD), text: recordText(facts) },
    { key: 'inclusion', ...titled(check.inclusion.outcome, INCLUSION), text: inclusionText(facts) },
    { key: 'signature', ...titled(check.signature.outcome, SIGNATURE), text: signatureText(facts) },
    { key: 'growth', ...titled(check.growth.outcome, GROWTH), text: growthText(facts) },
  ]
}

type Titles = readonly [proven: string, refuted: string, unchecked: string]

const RECORD: Titles = [
  'The record fits its hash',
  'The record does not fit its hash',
  'The record and its hash: not checked here',
]
const INCLUSION: Titles = [
  'The leaf is in the tree',
  'The leaf is not in the tree',
  'The leaf and the tree: not checked here',
]
const SIGNATURE: Titles = [
  'The root is signed',
  'The root is not signed by a known key',
  'The signature: not checked here',
]
const GROWTH: Titles = [
  'The log only grew',
  'The log did not only grow',
  'Whether the log only grew: nothing to compare yet',
]

function titled(outcome: StepOutcome, [proven, refuted, unchecked]: Titles) {
  const title = outcome === 'proven' ? proven : outcome === 'refuted' ? refuted : unchecked
  return { outcome, title }
}

function recordText({ check: { record }, leaf, commitment }: ProofFacts): string {
  if (record.outcome === 'unchecked') return 'This page has no SHA-256.'
  if (record.outcome === 'refuted') return 'The two hashes are above'
  if (record.commitment === null) {
    return `Your retention rule removed the payload. The other fields give leaf ${short(leaf)}`
  }
  return `Salt and payload give commitment ${short(commitment)}, and that gives leaf ${short(leaf)}`
}

function inclusionText({ check: { inclusion }, index }: ProofFacts): string {
  const { hashes, size, outcome } = inclusion
  const root = size === null ? 'the root' : `the root of ${countOf(size, 'leaf', 'leaves')}`
  const way = `from leaf ${formatCount(index)} to ${root}`
  if (outcome === 'unchecked') return 'This page has no SHA-256.'
  const path = countOf(hashes, 'hash', 'hashes')
  if (outcome === 'refuted') return `${path} do not lead ${way}`
  return hashes === 0 ? 'It is the only leaf, so it is the root' : `${path} lead ${way}`
}

function signatureText({ check: { signature }, isFirstSight, keySince }: ProofFacts): string {
  const { fault, keyId } = signature
  if (fault === 'crypto_unsupported') return 'This browser has no Ed25519. Use the command below.'
  if (fault === 'unknown_key') return 'The keys that this browser knows did not sign it'
  if (fault !== null) return 'The signature does not fit the signed state'
  if (isFirstSight) {
    return `By key ${keyId}, which this browser has seen now for the first time. Compare it with the one you keep`
  }
  return `By key ${keyId}, which this browser has known since ${keySince}`
}

function growthText({ check, headAt, headSize }: ProofFacts): string {
  const { growth, inclusion, signature, record } = check
  const head = `the head of ${countOf(growth.from ?? headSize ?? 0, 'leaf', 'leaves')}`
  if (growth.from === null) {
    const isKept = signature.outcome === 'proven' && record.outcome === 'proven'
    return isKept
      ? 'This browser keeps the head of this check from now on'
      : 'This browser keeps no head of this log yet'
  }
  if (growth.outcome === 'proven') return `It continues from ${head} that you saw ${headAt}`
  if (growth.outcome === 'unchecked') return 'This page has no SHA-256.'
  const isShorter = inclusion.size !== null && growth.from > inclusion.size
  return isShorter
    ? `It has ${countOf(inclusion.size ?? 0, 'leaf', 'leaves')} now, and ${head} is kept here`
    : `It does not continue from ${head} that you saw ${headAt}`
}

function short(hash: string): string {
  return `${hash.slice(0, 8)}…`
}
