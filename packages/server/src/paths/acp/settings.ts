import type { Settings } from '../../base/setting.ts'
import type { PathSettings } from '../path.ts'

export interface AcpSettings {
  /** The preview version of Stripe's API. Only previews have shared payment tokens. */
  readonly stripeVersion: string
}

const SETTINGS = {
  PURSER_ACP_STRIPE_VERSION: {
    description:
      "Version of Stripe's API that creates ACP payment tokens. Only preview versions support them.",
    default: '2026-07-29.preview',
    example: '2026-07-29.preview',
    guide: 'guide-acp.md',
  },
} as const satisfies Settings

const STRIPE_VERSION = SETTINGS.PURSER_ACP_STRIPE_VERSION.default

export const acpSettings: PathSettings<AcpSettings> = {
  group: { title: 'ACP', settings: SETTINGS },
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
