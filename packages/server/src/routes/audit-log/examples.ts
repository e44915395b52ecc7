import {
  EXAMPLE_AGENT_ID,
  EXAMPLE_DECISION,
  EXAMPLE_DETAILS,
  EXAMPLE_RECEIPT,
  EXAMPLE_TIME,
  exampleId,
} from '../../http/document/examples.ts'

const { log, leaf, salt } = EXAMPLE_RECEIPT
const FIRST_LEAF = '29edbc16ade9067a2fc5b3c52cbfb62a0dbf40d6429f9f785b796d753e9129b6'

/** The names are in canonical order, as in the lines of an export. */
const LEAF = {
  actorId: EXAMPLE_AGENT_ID,
  at: EXAMPLE_TIME,
  commitment: '84efcf2644e2f523380fa2c5cc1a859423ae775d6176dd43f260d48c3619873d',
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
  detailsHash: '3036204ea8fb331f2490e575b5d505195eb41727092f0f9205da399dd05baf33',
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
fNWV3cEMnMrgP6Jz36VSZQ2Sn7KMdEztnVj3m7gw0Js=

\u2014 ${log} y/nbzI1VUhudrrITM5XZ3h3l0sRpZDFYPHQU2TWK7u+oqf8la09FNkIUqFQvI2uDw391VS/ud+TS5nOy6b+ZT4ilKgA=
`

const { version: _, ...ENTRY } = LEAF

export const AUDIT_PAGE_EXAMPLE = {
  log,
  size: 2,
  data: [{ index: 1, leaf, ...ENTRY, actorName: 'Research agent', salt, payload: PAYLOAD }],
  hasMore: true,
  nextCursor: 1,
}

export const PROOF_EXAMPLE = {
  log,
  keys: [`${log}+cbf9dbcc+AbU28FzFCGSHc65PjBmmOJ4uxN1tJaD6cAVq2TtXSzN0`],
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

/** All leaves, and the signed checkpoint of them. */
export const EXPORT_EXAMPLE = toLines([
  headerOf('leaves'),
  FIRST_LINE,
  { ...SECOND_LINE, salt, type: 'leaf' },
  CHECKPOINT_LINE,
])

/** The leaf of one decision, and the proof that the audit log contains it. */
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
