import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { fastify } from 'fastify'
import pg from 'pg'
import { toMicros } from '../../packages/server/src/core/money.ts'
import { validatorCompiler } from '../../packages/server/src/http/validation/validation.ts'
import { EvaluateBody } from '../../packages/server/src/paths/evaluate/schemas.ts'
import { newId } from '../../packages/server/src/storage/new-id.ts'

/**
 * The least that a decision can write: one SQL transaction per request. It locks the mandate's row,
 * judges, updates the budget, inserts the transaction and its event, and commits. It trusts every
 * caller, and checks neither the organization nor the agent. Judging is only three comparisons, in
 * its favour. Statements are prepared, and 16 connections share the work.
 */
const [, , port, url] = process.argv
const pool = new pg.Pool({ connectionString: url ?? '', max: 16 })
const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(() => JSON.stringify)

app.post('/api/v1/gateway/evaluate', { schema: { body: EvaluateBody } }, async ({ body }) => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query({
      name: 'lock',
      text: `select m.organization_id, m.id, m.budget_total, m.budget_spent, v.rules
             from mandates m join mandate_versions v
               on v.organization_id = m.organization_id and v.mandate_id = m.id and v.version = m.version
             where m.agent_id = $1 and m.status = 'active' for update of m`,
      values: [body.agentId],
    })
    const [mandate] = rows
    const amount = toMicros(body.amount)
    const spent = BigInt(mandate.budget_spent) + amount
    const isApproved =
      spent <= BigInt(mandate.budget_total) &&
      body.amount <= mandate.rules[0].max &&
      mandate.rules[1].allow.includes(body.vendor)
    const id = newId(Date.now())
    const details = JSON.stringify({ code: 'approved', rules: mandate.rules, at: new Date() })
    if (isApproved) {
      await client.query({
        name: 'draw',
        text: 'update mandates set budget_spent = $3 where organization_id = $1 and id = $2',
        values: [mandate.organization_id, mandate.id, spent],
      })
    }
    await client.query({
      name: 'record',
      text: `insert into transactions (organization_id, id, agent_id, mandate_id, mandate_version, path,
               decision, status, code, amount, currency, vendor, category, remaining_budget, details,
               held_amount, settled_amount, refunded_amount, created_at)
             values ($1, $2, $3, $4, 1, 'evaluate', $5, $6, 'approved', $7, 'USD', $8, $9, $10, $11, 0, 0, 0, now())`,
      values: [
        mandate.organization_id,
        id,
        body.agentId,
        mandate.id,
        isApproved ? 'approved' : 'rejected',
        isApproved ? 'settled' : 'rejected',
        amount,
        body.vendor,
        body.category,
        BigInt(mandate.budget_total) - spent,
        details,
      ],
    })
    await client.query({
      name: 'tell',
      text: `insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number)
             values ($1, $2, 'transaction.approved', $2, $3, now(), 0)`,
      values: [mandate.organization_id, id, body.agentId],
    })
    await client.query('commit')
    return { decision: isApproved ? 'approved' : 'rejected', transactionId: id, details }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

await app.listen({ port: Number(port), host: '127.0.0.1' })
console.log('ready')
