import type { PathSettings } from '../path.ts'

export interface AcpSettings {
  /** Which preview of Stripe's API is spoken; only previews have shared payment tokens. */
  readonly stripeVersion: string
}

const STRIPE_VERSION = '2026-07-29.preview'

export const acpSettings: PathSettings<AcpSettings> = {
  read(variable, mistakes) {
    const stripeVersion = variable('PURSER_ACP_STRIPE_VERSION') ?? STRIPE_VERSION
    if (!/^\d{4}-\d{2}-\d{2}\.[a-z]{1,32}$/.test(stripeVersion)) {
      mistakes.push(
        `PURSER_ACP_STRIPE_VERSION must be a version of Stripe's API, such as ${STRIPE_VERSION}.`,
      )
    }
    return Object.freeze({ stripeVersion })
  },
}
