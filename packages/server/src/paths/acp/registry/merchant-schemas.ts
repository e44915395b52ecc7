import { type Static, Type } from 'typebox'
import { nullable } from '../../../http/document/schemas.ts'
import { ACP_VERSIONS, type AcpEntry } from './acp-entry.ts'
import { MerchantHealth } from './merchant-health.ts'

/** The placeholder for a token that is not shown again. */
const HIDDEN = '…'

const shownFields = {
  apiBaseUrl: Type.String({
    format: 'http-url',
    maxLength: 1_024,
    description:
      "The base URL of the merchant's ACP API; the gateway appends `/checkout_sessions/…`. Its host must be the vendor's host or a subdomain of it.",
    examples: ['https://shop.example.com/acp'],
  }),
  version: Type.Enum([...ACP_VERSIONS], {
    type: 'string',
    title: 'AcpVersion',
    description: 'The ACP version that the merchant supports.',
  }),
  merchantIds: Type.Array(
    Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$', examples: ['acct_1PqE2eLkdIwHu7ix'] }),
    {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description:
        "The merchant's ids at its payment provider. A checkout that would pay any other id is refused.",
    },
  ),
}
const ProfileId = nullable(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,256}$',
    description: "The id of the merchant's Stripe business profile. This is not its merchant id.",
    examples: ['profile_61TU90nIeGjU7NNV'],
  }),
)

const HandlerId = Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$' })
const Handler = nullable(
  Type.Object(
    {
      id: { ...HandlerId, description: 'The id of the handler.', examples: ['card_tokenized'] },
      psp: { ...HandlerId, description: 'The payment provider.', examples: ['stripe'] },
    },
    {
      additionalProperties: false,
      description:
        "The payment handler for sessions that name none: the handler's id and its payment provider, as documented by the merchant. Sessions that name handlers use their own.",
    },
  ),
)

export const Merchant = Type.Object(
  {
    ...shownFields,
    profileId: ProfileId,
    handler: Handler,
    credentialHint: Type.String({ description: 'The last characters of the credential.' }),
    webhookSecretHint: nullable(
      Type.String({ description: 'The last characters of the webhook secret.' }),
    ),
    orderUrl: Type.String({
      description:
        'The URL to which the merchant posts order events. The token in it is shown only when `acp` is first set and after `rotateOrderToken`; otherwise it is replaced by `…`.',
      examples: ['https://gateway.example.com/ingest/acp/…/orders'],
    }),
    health: Type.Optional(MerchantHealth),
  },
  {
    title: 'VendorAcp',
    description:
      'The ACP settings of a vendor: how the gateway calls the merchant and whom it may pay there.',
  },
)

const secrets = {
  credential: Type.String({
    pattern: '^[\\x21-\\x7e]{8,1024}$',
    description:
      'The bearer token that you received from the merchant. Stored encrypted and never shown again.',
    examples: ['shop-credential-1'],
  }),
  webhookSecret: nullable(
    Type.String({
      minLength: 16,
      maxLength: 1_024,
      pattern: '^[\\x21-\\x7e]*$',
      description:
        'The secret with which the merchant signs its order events. Stored encrypted and never shown again.',
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
  {
    additionalProperties: false,
    title: 'VendorAcpInput',
    description: 'The ACP settings of a vendor. Null: the vendor has none.',
  },
)

export const MerchantChange = Type.Partial(
  Type.Object({
    ...shownFields,
    ...secrets,
    profileId: ProfileId,
    handler: Handler,
    rotateOrderToken: Type.Literal(true, {
      description: 'Creates a new order URL. The previous one stays valid for 24 hours.',
    }),
  }),
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'VendorAcpChange',
    description:
      'Changes to the ACP settings. Omitted fields keep their values. Null removes the ACP settings.',
  },
)

/** `gatewayUrl` is the public URL of this gateway, if it is configured. */
export function toMerchantShape(
  { merchantIds, handler = null, ...entry }: AcpEntry,
  gatewayUrl: string | undefined,
  token: string = HIDDEN,
): Static<typeof Merchant> {
  const orderUrl = `${gatewayUrl ?? ''}/ingest/acp/${token}/orders`
  return { ...entry, handler, merchantIds: [...merchantIds], orderUrl }
}
