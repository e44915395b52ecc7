import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { fastify } from 'fastify'
import pg from 'pg'
import { toMicros } from '../../packages/server/src/core/money.ts'
import { validatorCompiler } from '../../packages/server/src/http/validation/validation.ts'
import { EvaluateBody } from '../../packages/server/src/paths/evaluate/schemas.ts'
import { newId } from '../../packages/server/src/storage/new-id.ts'
import { parseApiKey } from '../../packages/server/src/storage/secrets/api-key-secret.ts'

/**
 * The design that most gateways have: one SQL transaction per request, one statement after the
 * other. It does the same work as Purser, each part in the simplest way: it authenticates the key,
 * checks the freeze and the agent, locks the mandate's row, judges, updates the budget, inserts the
 * transaction with the inputs and a receipt, counts the plan's usage, inserts the event, and
 * commits. Judging is only three comparisons, in its favour. It has no Idempotency-Keys, parents,
 * limits over time, rate limits or numbered feed. Statements are prepared, and 16 connections share
 * the work.
 */
const [, , port, url] = process.argv
const pool = new pg.Pool({ connectionString: url ?? '', max: 16 })
const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(() => JSON.stringify)

app.post(
  '/api/v1/gateway/evaluate',
  { schema: { body: EvaluateBody } },
  async ({ body, headers }, reply) => {
    const client = await pool.connect()
    try {
      const organizationId = await authenticate(client, headers.authorization ?? '')
      if (organizationId === undefined)
        return await reply.code(401).send({ code: 'unauthenticated' })
      await client.query('begin')
      const answer = await decide(client, organizationId, body)
      await client.query('commit')
      return answer
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  },
)

async function authenticate(client: pg.PoolClient, authorization: string) {
  const given = parseApiKey(authorization.slice('Bearer '.length))
  if (!given) return undefined
  const { rows } = await client.query({
    name: 'authenticate',
    text: `select organization_id, secret_hash from api_keys
           where public_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [given.publicId],
  })
  const [key] = rows
  return key && timingSafeEqual(key.secret_hash, given.hash) ? key.organization_id : undefined
}

interface Asked {
  readonly agentId?: string | undefined
  readonly amount: number
  readonly vendor: string
  readonly category: string
}

async function decide(client: pg.PoolClient, organizationId: string, body: Asked) {
  const { rows: spenders } = await client.query({
    name: 'check',
    text: `select o.frozen, a.status from organizations o
           join agents a on a.organization_id = o.id and a.id = $2 and a.deleted_at is null
           where o.id = $1`,
    values: [organizationId, body.agentId],
  })
  const { rows: mandates } = await client.query({
    name: 'lock',
    text: `select m.id, m.version, m.budget_total, m.budget_spent, v.rules, v.policy_hash
           from mandates m join mandate_versions v
             on v.organization_id = m.organization_id and v.mandate_id = m.id and v.version = m.version
           where m.organization_id = $1 and m.agent_id = $2 and m.status = 'active' for update of m`,
    values: [organizationId, body.agentId],
  })
  const [[spender], [mandate]] = [spenders, mandates]
  const amount = toMicros(body.amount)
  const spent = BigInt(mandate.budget_spent) + amount
  const isApproved =
    !spender.frozen &&
    spender.status === 'active' &&
    spent <= BigInt(mandate.budget_total) &&
    body.amount <= mandate.rules[0].max &&
    mandate.rules[1].allow.includes(body.vendor)
  const decision = isApproved ? 'approved' : 'rejected'
  const id = newId(Date.now())
  const at = new Date().toISOString()
  const inputs = JSON.stringify({ body, spender, mandate })
  const facts = { code: decision, mandateId: mandate.id, policyHash: mandate.policy_hash, at, body }
  const salt = randomBytes(32).toString('hex')
  const commitment = hash('sha256', salt + JSON.stringify(facts), 'hex')
  const leaf = hash('sha256', JSON.stringify({ id, at, decision, commitment }), 'hex')
  const details = JSON.stringify({ ...facts, rules: mandate.rules, receipt: { leaf, salt } })
  if (isApproved) {
    await client.query({
      name: 'draw',
      text: 'update mandates set budget_spent = $3 where organization_id = $1 and id = $2',
      values: [organizationId, mandate.id, spent],
    })
  }
  await client.query({
    name: 'record',
    text: `insert into transactions (organization_id, id, agent_id, mandate_id, mandate_version, path,
             decision, status, code, amount, currency, vendor, category, remaining_budget, details,
             held_amount, settled_amount, refunded_amount, created_at, engine, inputs, inputs_hash)
           values ($1, $2, $3, $4, $5, 'evaluate', $6, $7, $6, $8, 'USD', $9, $10, $11, $12, 0, $13, 0,
             $14, 1, $15, decode($16, 'hex'))`,
    values: [
      organizationId,
      id,
      body.agentId,
      mandate.id,
      mandate.version,
      decision,
      isApproved ? 'settled' : 'rejected',
      amount,
      body.vendor,
      body.category,
      BigInt(mandate.budget_total) - spent,
      details,
      isApproved ? amount : 0n,
      at,
      inputs,
      hash('sha256', inputs, 'hex'),
    ],
  })
  await client.query({
    name: 'tell',
    text: `insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at,
             number, salt, commitment, leaf)
           values ($1, $2, 'transaction.' || $3::text, $2, $4, $5, 0, decode($6, 'hex'),
             decode($7, 'hex'), decode($8, 'hex'))`,
    values: [organizationId, id, decision, body.agentId, at, salt, commitment, leaf],
  })
  await client.query({
    name: 'count',
    text: `insert into plan_usage (organization_id, month, evaluations) values ($1, $2, 1)
           on conflict (organization_id, month) do update
           set evaluations = plan_usage.evaluations + 1`,
    values: [organizationId, `${at.slice(0, 7)}-01`],
  })
  return { decision, transactionId: id, details }
}

await app.listen({ port: Number(port), host: '127.0.0.1' })
console.log('ready')
