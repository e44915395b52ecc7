// The command plays issuers of cards (`purser trigger card`), and needs nothing else of a path.
export { ISSUERS } from './card/issuers/index.ts'
export type { Issuer } from './card/issuers/issuer.ts'
export type { Purchase } from './card/issuers/purchase.ts'
export type { TriggerAnswer } from './card/issuers/trigger.ts'
