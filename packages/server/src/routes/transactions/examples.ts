import {
  EXAMPLE_AGENT_ID,
  EXAMPLE_DECISION,
  EXAMPLE_TIME,
  exampleId,
} from '../../http/document/examples.ts'
import { REQUESTER_EXAMPLE } from '../../http/document/requester.ts'

export const TRANSACTION_EXAMPLE = {
  ...EXAMPLE_DECISION,
  status: 'settled',
  path: 'evaluate',
  currency: 'USD',
  reference: null,
  reason: null,
  metadata: null,
  code: 'approved',
  detailsRemovedAt: null,
  heldAmount: 0,
  settledAmount: 12.5,
  refundedAmount: 0,
  expiresAt: null,
  approvalId: null,
  external: null,
  createdAt: EXAMPLE_TIME,
  settledAt: EXAMPLE_TIME,
}

export const LISTED_EXAMPLE = {
  ...TRANSACTION_EXAMPLE,
  agentName: 'Research agent',
  requestedBy: REQUESTER_EXAMPLE,
}

const COLUMNS =
  'transactionId,createdAt,agentId,mandateId,path,vendor,category,amount,currency,decision,status,code,' +
  'remainingBudget,heldAmount,settledAmount,refundedAmount,reference,reason,expiresAt,settledAt,' +
  'agentName,mandateName,approvalId,flags,externalId,netAmount,requestedBy,requestedByName'

const ROW =
  `${exampleId('txn')},${EXAMPLE_TIME},${EXAMPLE_AGENT_ID},${exampleId('mnd')},evaluate,api.openai.com,llm,12.5,USD,` +
  `approved,settled,approved,87.5,0,12.5,0,,,,${EXAMPLE_TIME},Research agent,Research,,,,12.5,` +
  `${REQUESTER_EXAMPLE.id},${REQUESTER_EXAMPLE.name}`

export const CSV_EXAMPLE = [COLUMNS, ROW].map((line) => `${line}\r\n`).join('')
