import { type Static, Type } from 'typebox'
import { nullable } from '../../../http/document/schemas.ts'
import { ACP_VERSIONS, type AcpEntry } from './acp-entry.ts'
import { MerchantHealth } from './merchant-health.ts'

/** Stands for a token that is not shown again. */
const HIDDEN = '…'

const shownFields = {
  apiBaseUrl: Type.String({
    format: 'http-url',
    maxLength: 1_024,
    description:
      'Where the API of the shop begins; `/checkout_sessions/…` is added to it. Its host is that of the vendor, or below it.',
    examples: ['https://shop.example.com/acp'],
  }),
  version: Type.Enum([...ACP_VERSIONS], {
    type: 'string',
    title: 'AcpVersion',
    description: 'The version of the protocol that the shop speaks.',
  }),
  merchantIds: Type.Array(
    Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$', examples: ['acct_1PqE2eLkdIwHu7ix'] }),
    {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description:
        'Who may be paid in the name of the shop, at its payment provider. A checkout that names anybody else is refused.',
    },
  ),
}
const ProfileId = nullable(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,256}$',
    description: 'The business profile of the shop at Stripe, which is not its merchant id.',
    examples: ['profile_61TU90nIeGjU7NNV'],
  }),
)

const HandlerId = Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$' })
const Handler = nullable(
  Type.Object(
    {
      id: { ...HandlerId, examples: ['card_tokenized'] },
      psp: { ...HandlerId, examples: ['stripe'] },
    },
    {
      additionalProperties: false,
      description:
        'How a session is paid that names no payment handler: the id of the handler and its payment provider, as the shop says. A session that names handlers is paid by those.',
    },
  ),
)

export const Merchant = Type.Object(
  {
    ...shownFields,
    profileId: ProfileId,
    handler: Handler,
    credentialHint: Type.String({ description: 'How the credential ends.' }),
    webhookSecretHint: nullable(Type.String({ description: 'How the webhook secret ends.' })),
    orderUrl: Type.String({
      description:
        'Where the shop posts its orders. Its token is shown when `acp` is first set and after rotateOrderToken; otherwise … stands for it.',
      examples: ['https://gateway.example.com/ingest/acp/…/orders'],
    }),
    health: Type.Optional(MerchantHealth),
  },
  { title: 'VendorAcp', description: 'How a vendor is called that speaks ACP.' },
)

const secrets = {
  credential: Type.String({
    pattern: '^[\\x21-\\x7e]{8,1024}$',
    description:
      'The bearer token that the shop has given you. It is sealed and never shown again.',
    examples: ['shop-credential-1'],
  }),
  webhookSecret: nullable(
    Type.String({
      minLength: 16,
      maxLength: 1_024,
      pattern: '^[\\x21-\\x7e]*$',
      description: 'What the shop signs its orders with. It is sealed and never shown again.',
      examples: ['whsec_4f1c2d9e8b7a6350'],
    }),
  ),
}

export const MerchantInput = Type.Object(
  {
    ...shownFields,
    credential: secrets.credential,
    webhookSecret: Type.Optional(secrets.webhookSecret),
    profileId: Type.Optional(ProfileId),
    handler: Type.Optional(Handler),
  },
  { additionalProperties: false, title: 'VendorAcpInput' },
)

export const MerchantChange = Type.Partial(
  Type.Object({
    ...shownFields,
    ...secrets,
    profileId: ProfileId,
    handler: Handler,
    rotateOrderToken: Type.Literal(true, {
      description: 'Makes another order URL; the one before is accepted for 24 hours.',
    }),
  }),
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'VendorAcpChange',
    description: 'What is left out stays. Null: the vendor is no longer bought at by ACP.',
  },
)

/** `gatewayUrl` is where this gateway is reached from outside, if anybody has said it. */
export function toMerchantShape(
  { merchantIds, handler = null, ...entry }: AcpEntry,
  gatewayUrl: string | undefined,
  token: string = HIDDEN,
): Static<typeof Merchant> {
  const orderUrl = `${gatewayUrl ?? ''}/ingest/acp/${token}/orders`
  return { ...entry, handler, merchantIds: [...merchantIds], orderUrl }
}
