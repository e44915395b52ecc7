import type { EvaluationDetails, Finding, Transaction } from '@purser/sdk'

/**
 * Fills in the details that a stored row leaves out. Rows keep the details of the version that
 * decided them, so a row can lack a field that was added later.
 */
export function withWholeDetails(transaction: Transaction): Transaction {
  const { evaluationDetails: stored, code, path, createdAt } = transaction
  if (!stored) return transaction
  const known: Partial<EvaluationDetails> = stored
  const details = {
    ...{ code, path, message: '', evaluatedAt: createdAt, failed: [], firstFailure: null },
    ...{ mandateVersion: null, policyHash: null, budget: null, approval: null },
    ...known,
    rules: (known.rules ?? []).map(wholeFinding),
  }
  return { ...transaction, evaluationDetails: details as EvaluationDetails }
}

function wholeFinding(finding: Finding): Finding {
  const known: Partial<Finding> = finding
  const empty = { code: null, observed: null, limit: null, window: null, message: '' }
  return { ...empty, ...known } as Finding
}
