import type { Organization, WebhookEndpoint, WebhookEndpointInput } from '@purser/sdk'

/** The endpoints beside the first one, which has cards of its own. */
export function furtherEndpoints(organization: Organization): readonly WebhookEndpoint[] {
  const { webhookUrl, webhookEndpoints } = organization
  return webhookUrl === null ? webhookEndpoints : webhookEndpoints.slice(1)
}

/**
 * The whole list for a request that changes one endpoint. The others are named by their ids alone, so
 * that they keep their values.
 */
export function withEndpoint(
  { webhookEndpoints }: Organization,
  change: WebhookEndpointInput,
): WebhookEndpointInput[] {
  const list = webhookEndpoints.map(({ id }) => (id === change.id ? change : { id }))
  return change.id === undefined ? [...list, change] : list
}

export function withoutEndpoint(
  { webhookEndpoints }: Organization,
  removed: string,
): WebhookEndpointInput[] {
  return webhookEndpoints.filter(({ id }) => id !== removed).map(({ id }) => ({ id }))
}

/** The host of a URL, by which people tell endpoints apart. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
