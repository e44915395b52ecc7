import { DIGEST_DIGITS } from '../../core/audit/row-state.ts'

/**
 * The terms of a version as a leaf commits to them. The levels of warnings are a column beside them:
 * leaves from before there were levels have the terms alone.
 */
export const TERMS = `to_jsonb(v) - '{organization_id,warning_percents}'::text[]`

/**
 * Whether a row of the first endpoint has only what deliveries write. Such a row comes and goes without
 * a leaf.
 */
const HAS_STATE_ALONE = `(e.id = $1 and not e.is_paused and e.after_number = 0 and num_nonnulls(
  e.url, e.url_id, e.events, e.secret_hint, e.secret_rotated_at, e.previous_secret_until, e.created_at
) = 0)`

/**
 * The live row of each kind of thing that a leaf commits to, as one jsonb object (ADR 51). `$1` is
 * the organization. Columns that change without a leaf of their own are left out: times of use,
 * budget figures, statuses reported by issuers, and sealed values, which a rotation of the master
 * key seals again. Rows of other tables that belong to the thing are added as columns.
 */
export const ROWS = {
  agent: (id: string) => `
    select to_jsonb(r) - '{organization_id,last_seen_at}'::text[] from agents r
    where r.organization_id = $1 and r.id = ${id}`,
  mandate: (id: string) => `
    select to_jsonb(r) - '{organization_id,budget_spent,budget_held,budget_overdrawn,spent_period_start}'::text[]
           || jsonb_build_object('terms', ${TERMS}, 'warning_percents', v.warning_percents)
    from mandates r
    left join mandate_versions v
      on v.organization_id = $1 and v.mandate_id = r.id and v.version = r.version
    where r.organization_id = $1 and r.id = ${id}`,
  api_key: (id: string) => `
    select to_jsonb(r) - '{organization_id,last_used_at}'::text[] from api_keys r
    where r.organization_id = $1 and r.id = ${id}`,
  vendor: (id: string) => `
    select to_jsonb(r) - '{organization_id,acp_credential,acp_webhook_secret}'::text[]
           || jsonb_build_object('card_alias_keys', (
                select jsonb_agg(a.key order by a.key) from vendor_card_aliases a
                where a.organization_id = $1 and a.vendor_id = r.id))
    from vendors r where r.organization_id = $1 and r.id = ${id}`,
  wallet: (id: string) => `
    select to_jsonb(r) - '{organization_id,sealed_secret}'::text[] from wallets r
    where r.organization_id = $1 and r.id = ${id}`,
  card: (id: string) => `
    select to_jsonb(r) - '{organization_id,provider_status,provider_status_at}'::text[] from cards r
    where r.organization_id = $1 and r.id = ${id}`,
  card_connection: (id: string) => `
    select to_jsonb(r) - '{organization_id,last_request_at,last_event_at,unheard_since}'::text[]
           - '{authorization_secret,authorization_previous_secret}'::text[]
           - '{events_secret,events_previous_secret}'::text[]
    from card_connections r where r.organization_id = $1 and r.id = ${id}`,
  organization: (id: string) => `
    select to_jsonb(r) - '{webhook_secret,webhook_previous_secret}'::text[]
           || jsonb_build_object('instruments', (
                select jsonb_agg(to_jsonb(i) - '{organization_id,credential}'::text[] order by i.id)
                from acp_instruments i where i.organization_id = $1),
              'webhook_endpoints', (
                select jsonb_agg(to_jsonb(e) - '{organization_id,secret,previous_secret}'::text[]
                                 - '{paused_at,failing_since}'::text[] order by e.id)
                from webhook_endpoints e
                where e.organization_id = $1 and not ${HAS_STATE_ALONE}))
    from organizations r where r.id = $1 and r.id = ${id}`,
  member: (id: string) => `
    select to_jsonb(r) - 'organization_id'
           || jsonb_build_object('authenticators', (
                select jsonb_agg(to_jsonb(a) - '{organization_id,last_used_at}'::text[] order by a.id)
                from authenticators a where a.organization_id = $1 and a.member_id = r.id),
              'passkeys', (
                select jsonb_agg(to_jsonb(k) - '{organization_id,last_used_at,sign_count}'::text[]
                                 order by k.id)
                from passkeys k where k.organization_id = $1 and k.member_id = r.id),
              'recovery_codes', (
                select jsonb_agg(to_jsonb(c) - '{organization_id,used_at}'::text[] order by c.code_hash)
                from recovery_codes c where c.organization_id = $1 and c.member_id = r.id),
              'links', (
                select jsonb_agg(to_jsonb(l) - 'organization_id' order by l.made_by)
                from member_links l where l.organization_id = $1 and l.member_id = r.id))
    from members r where r.organization_id = $1 and r.id = ${id}`,
  invitation: (id: string) => `
    select to_jsonb(r) - 'organization_id' from invitations r
    where r.organization_id = $1 and r.id = ${id}`,
  approval: (id: string) => `
    select to_jsonb(r) - '{organization_id,asked,asked_by,used_by,used_at}'::text[]
           || jsonb_build_object('answers', (
                select jsonb_agg(to_jsonb(d) - 'organization_id' order by d.id)
                from approval_decisions d where d.organization_id = $1 and d.approval_id = r.id))
    from approvals r where r.organization_id = $1 and r.id = ${id}`,
  transaction: (id: string) => `
    select jsonb_build_object(
             'status', r.status, 'code', r.code, 'amount', r.amount, 'decided_amount', r.decided_amount,
             'held_amount', r.held_amount, 'settled_amount', r.settled_amount,
             'refunded_amount', r.refunded_amount, 'settled_at', r.settled_at, 'flags', r.flags,
             'counted_in', r.counted_in, 'later_parts', r.later_parts, 'steps', r.steps)
    from transactions r where r.organization_id = $1 and r.id = ${id}`,
} as const

export type StatedThing = keyof typeof ROWS

export function isStatedThing(thing: string): thing is StatedThing {
  return Object.hasOwn(ROWS, thing)
}

/**
 * The digests of a row as canonical JSON text, each made like `digestOf`; null if there is no row.
 */
export function digestsOf(row: string, salt: string): string {
  return `(
    select '{' || string_agg('"' || f.key || '":"' || left(encode(sha256(${salt}
             || convert_to(f.key || coalesce('=' || f.value, ''), 'UTF8')), 'hex'), ${DIGEST_DIGITS})
             || '"', ',' order by f.key collate "C") || '}'
    from jsonb_each_text((${row})) as f (key, value))`
}
