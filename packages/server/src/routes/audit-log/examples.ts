import {
  EXAMPLE_AGENT_ID,
  EXAMPLE_DECISION,
  EXAMPLE_DETAILS,
  EXAMPLE_RECEIPT,
  EXAMPLE_TIME,
  exampleId,
} from '../../http/examples.ts'

const { log, leaf, salt } = EXAMPLE_RECEIPT
const FIRST_LEAF = '29edbc16ade9067a2fc5b3c52cbfb62a0dbf40d6429f9f785b796d753e9129b6'

/** The names are in their canonical order, as the lines of an export have them. */
const LEAF = {
  actorId: EXAMPLE_AGENT_ID,
  at: EXAMPLE_TIME,
  commitment: 'f0bf0a6a659bb0359fc1f337947f539994d1f6329292b4e627f70683268d4c28',
  kind: 'transaction.approved',
  subject: exampleId('txn'),
  version: 1,
}

const PAYLOAD = {
  agentId: EXAMPLE_AGENT_ID,
  amountMicros: '12500000',
  category: EXAMPLE_DECISION.category,
  code: EXAMPLE_DETAILS.code,
  currency: 'USD',
  decision: EXAMPLE_DECISION.decision,
  detailsHash: '408971e55215d4a4c191dc140854963244b6873773daa7dc31c9825edce14c1b',
  failed: [],
  mandateId: exampleId('mnd'),
  mandateVersion: 1,
  metadata: null,
  path: 'evaluate',
  policyHash: EXAMPLE_DETAILS.policyHash,
  reason: null,
  reference: null,
  status: 'settled',
  vendor: EXAMPLE_DECISION.vendor,
}

const CHECKPOINT = `${log}
2
mw9tElMLuqrKZhPsH+tKDlJp238Bgf5D1WoS7u8qpds=

\u2014 ${log} bKaJkqKVUFHNeOTu7JJ9L6gzXCKca/8/X2liEw91fZAJB7SnpAcwxU63LgkgnwVoXHt4Y4oEmhBdfW2lc7ZlM2LeBQc=
`

const { version: _, ...ENTRY } = LEAF

export const AUDIT_PAGE_EXAMPLE = {
  log,
  size: 2,
  data: [{ index: 1, leaf, ...ENTRY, salt, payload: PAYLOAD }],
  hasMore: true,
  nextCursor: 1,
}

export const PROOF_EXAMPLE = {
  log,
  keys: [`${log}+6ca68992+AfRI20vv00RU4J9Dh82GDSi+e0d2nM9bVJsOLtZgjcIU`],
  size: 2,
  checkpoint: CHECKPOINT,
  inclusion: { index: 1, leaf, hashes: [FIRST_LEAF] },
  consistency: null,
}

const FIRST_LINE = {
  hash: FIRST_LEAF,
  index: 0,
  leaf: {
    actorId: null,
    at: EXAMPLE_TIME,
    commitment: '2617082832624a769690ac9d7639e01c6f3a013c841dc53551b59edda035a167',
    kind: 'log.begun',
    subject: exampleId('org'),
    version: 1,
  },
  payload: { begunAfter: '0' },
  salt: '00000000000000000000000000000000',
  type: 'leaf',
}
const SECOND_LINE = { hash: leaf, index: 1, leaf: LEAF, payload: PAYLOAD }
const CHECKPOINT_LINE = { note: CHECKPOINT, type: 'checkpoint' }

/** All leaves, and the state that is signed over them. */
export const EXPORT_EXAMPLE = toLines([
  headerOf('leaves'),
  FIRST_LINE,
  { ...SECOND_LINE, salt, type: 'leaf' },
  CHECKPOINT_LINE,
])

/** The leaf of one decision, and the proof that it is in the log. */
export const PROVEN_EXPORT_EXAMPLE = toLines([
  headerOf('proofs'),
  CHECKPOINT_LINE,
  { ...SECOND_LINE, proof: [FIRST_LEAF], salt, type: 'leaf' },
])

function headerOf(content: string): object {
  return { content, from: 0, frontier: [], log, type: 'header', version: 1 }
}

function toLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
