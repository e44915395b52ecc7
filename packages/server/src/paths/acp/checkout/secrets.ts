import type { Desk, FlowParts } from '../flow-parts.ts'
import type { AcpMerchant } from '../merchant.ts'
import { checkoutPurpose } from '../storage/sealed-values.ts'
import { createHiding, digestOf, type Hide } from '../versions/hiding.ts'
import type { AcpCheckout, Secrets, Token } from './checkout.ts'

const NO_SECRETS: Secrets = {
  token: null,
  buyer: null,
  billingAddress: null,
  authenticationResult: null,
}

export function openSecrets({ sealer }: Pick<FlowParts, 'sealer'>, checkout: AcpCheckout): Secrets {
  const { organizationId, sealed } = checkout
  if (sealed === null) return NO_SECRETS
  return JSON.parse(sealer.open(organizationId, checkoutPurpose(checkout), sealed))
}

export function sealSecrets(
  { sealer }: Pick<FlowParts, 'sealer'>,
  checkout: Pick<AcpCheckout, 'organizationId' | 'id'>,
  secrets: Partial<Secrets>,
): Buffer {
  const text = JSON.stringify({ ...NO_SECRETS, ...secrets })
  return sealer.seal(checkout.organizationId, checkoutPurpose(checkout), text)
}

/** Adds the created token to the checkout. */
export function withToken(
  parts: Pick<FlowParts, 'sealer'>,
  checkout: AcpCheckout,
  token: Token,
): AcpCheckout {
  const sealed = sealSecrets(parts, checkout, { ...openSecrets(parts, checkout), token })
  return { ...checkout, sealed, tokenDigest: digestOf(checkout.id, token.id) }
}

/** Hides secrets of the checkout that a merchant may echo, in addition to those of the desk. */
export function hidingOf(
  parts: Pick<FlowParts, 'sealer'>,
  checkout: AcpCheckout,
  { credential, webhookSecret }: Pick<AcpMerchant, 'credential' | 'webhookSecret'>,
  more: readonly string[] = [],
): Hide {
  const token = openSecrets(parts, checkout).token?.id ?? null
  const { id, tokenDigest } = checkout
  return createHiding({
    plain: [credential, webhookSecret, token, ...more],
    digest: tokenDigest && { of: id, hash: tokenDigest },
  })
}

/** Returns a desk that also hides the checkout's secrets in the merchant's answers. */
export function hidingDesk(
  parts: Pick<FlowParts, 'sealer'>,
  desk: Desk,
  checkout: AcpCheckout,
): Desk {
  return { ...desk, hide: hidingOf(parts, checkout, desk.merchant, [desk.instrument.credential]) }
}
