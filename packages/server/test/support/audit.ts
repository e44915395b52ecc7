import type { Database } from '../../src/storage/engine/database.ts'

/**
 * The checks read whole tables that may not have been analyzed yet. The planner then assumes that
 * they are small and joins them row by row, which takes minutes. A check may take longer than a
 * statement of the gateway.
 */
const AT_LEISURE = `
  select set_config('enable_nestloop', 'off', true), set_config('statement_timeout', '0', true)`
const WITHIN_MS = 180_000

/**
 * Compares the balances with the history. Each check is one statement, so that it sees one
 * committed state, even while decisions are made. Returns a line for every violation.
 */
export async function audit(db: Pick<Database, 'transaction'>): Promise<string[]> {
  const broken: string[] = []
  for (const [truth, text] of Object.entries(TRUTHS)) {
    const rows = await db.transaction(async (tx) => {
      await tx.query({ text: AT_LEISURE })
      return tx.query<Record<string, unknown>>({ text, timeoutMs: WITHIN_MS })
    })
    broken.push(...rows.slice(0, 3).map((row) => `${truth}: ${show(row)}`))
  }
  return broken
}

function show(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
}

/**
 * Each check lists its violations. The remaining amount of an approved spend is derived from its
 * history, not from the amounts that the gateway stores with it. On the card path these amounts are
 * those of the issuer.
 */
const LEFT = `
  select t.organization_id, t.id, t.mandate_id, t.counted_in, t.status, t.is_increment,
         case when t.status <> 'held' then 0
              when t.flags @> '{raised}' or t.path = 'card' then t.held_amount
              else t.amount - t.settled_amount end as held,
         case when t.status in ('held', 'settled', 'partially_refunded', 'refunded')
              then t.settled_amount else 0 end as settled,
         t.refunded_amount as refunded
  from transactions t where t.decision = 'approved'`

/** Counters that were added later also hold spends that were not counted in them at first. */
const KNOWS_NO_PAST = `split_part(key, '/', 1) not like '%~%'`

const TRUTHS: Readonly<Record<string, string>> = {
  'what was used of an approval is one approved spend that it covers': `
    select a.id, a.status, a.used_by, t.decision, t.amount, a.max_amount from approvals a
    left join transactions t on t.organization_id = a.organization_id and t.id = a.used_by
    where (a.status = 'used') <> (a.used_by is not null)
       or a.status = 'used' and (t.id is null or t.decision <> 'approved' or t.approval_id <> a.id
         or t.amount > a.max_amount or t.vendor <> a.vendor or t.agent_id <> a.agent_id)`,

  'no approval lets two spends through': `
    select organization_id, approval_id, count(*) from transactions
    where decision = 'approved' and approval_id is not null and code <> 'deadline_passed'
      -- A checkout that is proven to have paid nothing gives it back; a person's word is no proof.
      and not (path = 'acp' and status = 'voided' and not 'ended_by_hand' = any(flags))
    group by organization_id, approval_id having count(*) > 1`,

  'a person has said yes to what is approved': `
    select a.id, a.status from approvals a
    where a.status in ('approved', 'used') and 1 <> (
      select count(*) from approval_decisions d
      where d.organization_id = a.organization_id and d.approval_id = a.id
        and d.decision = 'approve')`,

  'no budget is overspent': `
    select id, budget_spent, budget_total from mandates
    where budget_spent - budget_overdrawn > budget_total or budget_spent < 0`,

  'a mandate has spent what its approved transactions and those below it come to': `
    with remaining as (${LEFT}), drawn as (
      select unnest(own.id || own.ancestor_ids) as id, r.held, r.settled, r.refunded
      from remaining r
      join mandates own on own.organization_id = r.organization_id and own.id = r.mandate_id
    ), sums as (
      select id, sum(held + settled - refunded) as spent, sum(held) as held from drawn group by id
    )
    select m.id, m.budget_spent, s.spent, m.budget_held, s.held
    from mandates m left join sums s on s.id = m.id
    where m.budget_spent <> coalesce(s.spent, 0) or m.budget_held <> coalesce(s.held, 0)`,

  'the amounts of a transaction are those of its state': `
    select id, status, amount, held_amount, settled_amount, refunded_amount from transactions
    where (held_amount <> case status when 'held' then amount - settled_amount else 0 end
           or settled_amount > amount) and flags is null and path <> 'card'
       or (held_amount > 0) <> (status = 'held')
       or (settled_amount = 0 and amount > 0
           and status in ('settled', 'partially_refunded', 'refunded'))
       or (settled_amount > 0 and status in ('rejected', 'voided', 'expired'))
       or (refunded_amount > 0 and status <> 'held') <> (status in ('partially_refunded', 'refunded'))
       or (status = 'refunded' and refunded_amount <> settled_amount)
       or (decision = 'rejected') <> (status = 'rejected')`,

  'every decision has exactly one event of its own, and no event is without its decision': `
    select coalesce(t.id, e.id) as id, t.decision, e.kind
    from transactions t full join (
      select * from webhook_events where kind in ('transaction.approved', 'transaction.rejected')
    ) e on e.organization_id = t.organization_id and e.transaction_id = t.id
    where t.id is null or e.id is null or e.kind <> 'transaction.' || t.decision`,

  'what is told of the end of a transaction has a transaction, and it was approved': `
    select e.id, e.kind from webhook_events e
    left join transactions t on t.organization_id = e.organization_id and t.id = e.transaction_id
    where e.outcome is not null and e.kind like 'transaction.%'
      and (t.id is null or t.decision <> 'approved')`,

  'an audit log has as many leaves as it says, without a gap': `
    select l.organization_id, l.size, count(a.index), max(a.index)
    from audit_logs l left join audit_leaves a on a.organization_id = l.organization_id
    group by l.organization_id, l.size
    having count(a.index) <> l.size or coalesce(max(a.index) + 1, 0) <> l.size`,

  'no checkpoint of an audit log has more leaves than the log': `
    select organization_id, size, signed_size from audit_logs where signed_size > size`,

  'an audit log has everything up to its last number, once': `
    select e.organization_id, e.number, count(a.index)
    from webhook_events e
    join audit_logs l on l.organization_id = e.organization_id
    left join audit_leaves a
      on a.organization_id = e.organization_id and a.number = e.number and a.index > 0
    where e.sample is null and e.number > l.begun_after and e.number <= l.last_number
    group by e.organization_id, e.number having count(a.index) <> 1`,

  'a counter holds what was approved and not given back': `
    with counted as (
      select jsonb_array_elements_text(counted_in) as key, held + settled as amount, is_increment
      from (${LEFT}) as remaining
      where counted_in is not null and status not in ('voided', 'expired')
    ), sums as (
      select key, count(*) filter (where is_increment is not true) as count, sum(amount) as amount
      from counted
      where ${KNOWS_NO_PAST} group by key
    ), kept as (
      select key,
        (select coalesce(sum(n), 0) from unnest(buckets) with ordinality as b (n, at)
         where at > 1 and (at - 2) % 3 = 1) as count,
        (select coalesce(sum(n), 0) from unnest(buckets) with ordinality as b (n, at)
         where at > 1 and (at - 2) % 3 = 2) as amount
      from limit_counters where ${KNOWS_NO_PAST}
    )
    select coalesce(kept.key, sums.key) as key, kept.count, sums.count as expected,
           kept.amount, sums.amount as "expectedAmount"
    from kept full join sums on sums.key = kept.key
    where coalesce(kept.count, 0) <> coalesce(sums.count, 0)
       or coalesce(kept.amount, 0) <> coalesce(sums.amount, 0)`,

  'the plan has counted every decision once': `
    select o.id, u.evaluations, t.decisions
    from organizations o
    left join (select organization_id, sum(evaluations) as evaluations
               from plan_usage group by 1) u on u.organization_id = o.id
    left join (select organization_id, count(*) as decisions
               from transactions
               where flags is null or not flags @> '{ungoverned}' group by 1) t
      on t.organization_id = o.id
    where coalesce(u.evaluations, 0) <> coalesce(t.decisions, 0)`,

  'a key names a transaction that is there, and no transaction has two keys': `
    select k.key, k.transaction_id from idempotency_keys k
    left join transactions t on t.organization_id = k.organization_id and t.id = k.transaction_id
    where k.transaction_id is not null
    group by k.organization_id, k.key, k.transaction_id
    having count(t.id) <> 1
    union all
    select min(key), transaction_id from idempotency_keys
    where transaction_id is not null group by transaction_id having count(*) > 1`,
}
