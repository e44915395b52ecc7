import { receiverOf } from '../../core/change.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { MARK_BYTES, type Sealer } from '../secrets/sealed.ts'
import type { SealedValues } from '../secrets/sealed-values.ts'

/**
 * A URL as a row stores it: its receiver and a sealed copy, or the whole URL from before copies
 * existed.
 */
export interface StoredUrl {
  readonly url: string | null
  readonly urlId: string | null
  readonly sealedUrl: Buffer | null
}

/** Binds a copy to its id, so that it does not open under a different one. */
const purposeOf = (id: string): string => `webhook url ${id}`

/** Returns the whole URL. */
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

/** The URL that the organization's events are sent to; null if there is none. */
export async function readWebhookUrl(
  db: Queryable,
  sealer: Sealer,
  organizationId: string,
): Promise<string | null> {
  return openUrl(sealer, organizationId, await findUrl(db, organizationId))
}

/**
 * Replaces the webhook URL; null removes it. The caller has locked the organization and has stored
 * the receiver in its row; `shownBefore` is the previous value of that column. Returns the previous
 * whole URL.
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
  // A leaf of the audit log names the copy, so an unchanged URL keeps its copy.
  if (url === before && (url === null || stored.urlId !== null)) return before
  if (stored.urlId !== null) tx.send(retireUrl(organizationId, stored.urlId, at))
  const id = url === null ? null : newId(at)
  if (url !== null && id !== null) tx.send(insertUrl(sealer, organizationId, { id, url }, null))
  tx.send(nameUrl(organizationId, id))
  return before
}

/**
 * Seals the URL of an organization that was stored before copies existed. The caller has locked the
 * organization.
 */
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

/** `replacedAt` is null while the organization uses the URL. */
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

export function retireUrl(organizationId: string, id: string, at: Instant): Statement {
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

/** The ids of an organization's newest copies, by whole URL. */
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

/** The sealed URLs, so that a rotation of the master key seals them again. */
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
