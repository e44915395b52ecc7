import type { FlowParts } from '../flow-parts.ts'
import { checkoutPurpose } from '../storage/sealed-checkouts.ts'
import type { AcpCheckout, Secrets } from './checkout.ts'

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
