import { receiverOf } from '../../core/change.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { MARK_BYTES, type Sealer } from '../secrets/sealed.ts'
import type { SealedValues } from '../secrets/sealed-values.ts'

/** A URL as a row has it: only its receiver, and the copy; or whole, from before there were copies. */
export interface StoredUrl {
  readonly url: string | null
  readonly urlId: string | null
  readonly sealedUrl: Buffer | null
}

/** A copy opens only as the one that it was made as. */
const purposeOf = (id: string): string => `webhook url ${id}`

/** The whole URL. */
export function openUrl(
  sealer: Sealer,
  organizationId: string,
  { url, urlId, sealedUrl }: StoredUrl,
): string | null {
  if (urlId === null) return url
  if (sealedUrl === null) throw new Error('The sealed copy of a webhook URL is missing.')
  return sealer.open(organizationId, purposeOf(urlId), sealedUrl)
}

async function findUrl(db: Queryable, organizationId: string): Promise<StoredUrl> {
  const [stored] = await db.query<StoredUrl>({
    text: `select o.webhook_url as url, o.webhook_url_id as "urlId", u.sealed as "sealedUrl"
           from organizations o
           left join webhook_urls u on u.organization_id = o.id and u.id = o.webhook_url_id
           where o.id = $1`,
    values: [organizationId],
  })
  return stored ?? { url: null, urlId: null, sealedUrl: null }
}

/** Where the organization's events go; null: nowhere. */
export async function readWebhookUrl(
  db: Queryable,
  sealer: Sealer,
  organizationId: string,
): Promise<string | null> {
  return openUrl(sealer, organizationId, await findUrl(db, organizationId))
}

/**
 * Stores another URL, or none. The caller has locked the organization and has stored the receiver in its
 * row; `shownBefore` is what was there. Gives the whole URL from before.
 */
export async function replaceWebhookUrl(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  { shownBefore, url }: { readonly shownBefore: string | null; readonly url: string | null },
  at: Instant,
): Promise<string | null> {
  const stored = { ...(await findUrl(tx, organizationId)), url: shownBefore }
  const before = openUrl(sealer, organizationId, stored)
  // A leaf of the audit log names the copy, so the same URL keeps it.
  if (url === before && (url === null || stored.urlId !== null)) return before
  if (stored.urlId !== null) tx.send(retireUrl(organizationId, stored.urlId, at))
  const id = url === null ? null : newId(at)
  if (url !== null && id !== null) tx.send(insertUrl(sealer, organizationId, { id, url }, null))
  tx.send(nameUrl(organizationId, id))
  return before
}

/** Seals the URL of an organization from before there were copies. The caller has locked it. */
export async function sealWebhookUrl(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  at: Instant,
): Promise<void> {
  const { url, urlId } = await findUrl(tx, organizationId)
  if (url === null || urlId !== null) return
  const id = newId(at)
  tx.send(insertUrl(sealer, organizationId, { id, url }, null))
  tx.send({
    text: 'update organizations set webhook_url = $2, webhook_url_id = $3 where id = $1',
    values: [organizationId, receiverOf(url), id],
  })
}

/** `replacedAt`: null while the organization uses it. */
export function insertUrl(
  sealer: Sealer,
  organizationId: string,
  { id, url }: { readonly id: string; readonly url: string },
  replacedAt: Instant | null,
): Statement {
  return {
    text: `insert into webhook_urls (organization_id, id, sealed, replaced_at)
           values ($1, $2, $3, $4)`,
    values: [
      organizationId,
      id,
      sealer.seal(organizationId, purposeOf(id), url),
      replacedAt === null ? null : toIso(replacedAt),
    ],
  }
}

function retireUrl(organizationId: string, id: string, at: Instant): Statement {
  return {
    text: 'update webhook_urls set replaced_at = $3 where organization_id = $1 and id = $2',
    values: [organizationId, id, toIso(at)],
  }
}

function nameUrl(organizationId: string, id: string | null): Statement {
  return {
    text: 'update organizations set webhook_url_id = $2 where id = $1',
    values: [organizationId, id],
  }
}

/** The newest copies of an organization, whole, with their ids. */
export async function listUrls(
  db: Queryable,
  sealer: Sealer,
  organizationId: string,
  limit: number,
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; sealed: Buffer }>({
    text: `select id, sealed from webhook_urls where organization_id = $1
           order by id desc limit $2`,
    values: [organizationId, limit],
  })
  const open = ({ id, sealed }: (typeof rows)[number]): string =>
    sealer.open(organizationId, purposeOf(id), sealed)
  return new Map(rows.map((row) => [open(row), row.id]))
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** For a new master key. */
export const WEBHOOK_URLS: SealedValues = {
  what: 'webhook_urls.sealed',
  async list(db, organizationId, { after: [after = FIRST_ID], mark, limit }) {
    const rows = await db.query<{ id: string; sealed: Buffer }>({
      text: `
        select id, sealed from webhook_urls
        where organization_id = $1 and id > $2
          and substring(sealed from 1 for ${MARK_BYTES}) <> $3
        order by id limit $4`,
      values: [organizationId, after, mark, limit],
    })
    return rows.map(({ id, sealed }) => ({ place: [id], purpose: purposeOf(id), sealed }))
  },
  replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
    text: `update webhook_urls set sealed = $4
           where organization_id = $1 and id = $2 and sealed = $3`,
    values: [organizationId, id, before, sealed],
  }),
}
