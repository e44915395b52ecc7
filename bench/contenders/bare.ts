import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { fastify } from 'fastify'
import { validatorCompiler } from '../../packages/server/src/http/validation/validation.ts'
import { EvaluateBody } from '../../packages/server/src/paths/evaluate/schemas.ts'

/**
 * Shows the limit of the framework alone: it validates the same body, answers with the same shape
 * and stores nothing.
 */
const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(() => JSON.stringify)

const finding = (id: string) => ({
  id,
  type: id,
  outcome: 'pass',
  code: null,
  observed: 1.25,
  limit: 50,
  window: null,
  message: 'The amount is within its bounds.',
})

app.post('/api/v1/gateway/evaluate', { schema: { body: EvaluateBody } }, async ({ body }) => ({
  decision: 'approved',
  remainingBudget: 99.5,
  transactionId: 'txn_01a1dd676a3d7cf3b8fb4b862c6a446f',
  evaluationDetails: {
    code: 'approved',
    message: 'The spend is approved.',
    mandateVersion: 1,
    policyHash: 'f123886e6c0db9881d0348f3002a87fdeef0b900942e9fb5649aa3ad6315e2f1',
    evaluatedAt: '2026-11-15T04:11:44.582Z',
    path: 'evaluate',
    firstFailure: null,
    failed: [],
    rules: ['vendors', 'categories', 'amount', 'budget'].map(finding),
    budget: { total: 100, spentBefore: 0, remaining: 99.5, percentUsed: 0.5, periodEnd: null },
    approval: null,
    next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
    durationMs: 0.2,
  },
  mandateId: 'mnd_01a1dd6769917313a1e9d7bf8651a450',
  agentId: body.agentId,
  amount: body.amount,
  vendor: body.vendor,
  category: body.category,
  status: 'settled',
}))

await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
console.log('ready')
