import { receiverOf } from '../../core/change.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import { readWebhookUrl, replaceWebhookUrl } from '../../storage/webhooks/urls.ts'

interface Url {
  readonly webhookUrl: string | null
}

/** The organization's row has only the origin of the webhook URL, without its path and query. */
export function shownUrl(webhookUrl: string | null): Url {
  return { webhookUrl: webhookUrl === null ? null : receiverOf(webhookUrl) }
}

/**
 * Stores the whole URL encrypted after the organization's row shows the new one. Returns the URLs
 * before and after the change; undefined leaves the URL unchanged.
 */
export function createChangeUrl(sealer: Sealer) {
  return async (
    tx: Tx,
    organizationId: string,
    shownBefore: string | null,
    url: string | null | undefined,
    at: number,
  ): Promise<{ readonly before: Url; readonly after: Url }> => {
    if (url === undefined) {
      const webhookUrl = await readWebhookUrl(tx, sealer, organizationId)
      return { before: { webhookUrl }, after: { webhookUrl } }
    }
    const change = { shownBefore, url }
    const before = await replaceWebhookUrl(tx, sealer, organizationId, change, at)
    return { before: { webhookUrl: before }, after: { webhookUrl: url } }
  }
}
