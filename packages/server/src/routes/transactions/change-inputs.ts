import { Type } from 'typebox'
import { Money } from '../../http/document/schemas.ts'

export const AmountInput = Type.Object(
  {
    amount: Type.Optional({
      ...Money,
      description:
        'The amount to refund, in units of the currency. Default: everything not yet refunded.',
    }),
  },
  {
    additionalProperties: false,
    title: 'AmountInput',
    description: 'Without an amount, or without a body, the whole amount is used.',
    examples: [{ amount: 9.75 }],
  },
)

export const SettleInput = Type.Object(
  {
    amount: Type.Optional({
      ...Money,
      description: 'The amount that was paid, in units of the currency. Default: the held amount.',
    }),
    proof: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Closes a hold whose outcome the gateway can no longer find out, because its x402 network was removed from the settings, or because neither the ACP merchant nor its token provider responds any more. Send the hash of the transaction on the chain, or the id of the order. The gateway settles the whole hold and records the proof. For a card payment that was captured in a different currency, send the id of that capture, and its value as `amount`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SettleInput',
    description: 'Without an amount, or without a body, the whole amount is used.',
    examples: [{ amount: 9.75 }],
  },
)

export const VoidInput = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          "Voids a hold whose outcome the gateway can no longer find out: say why you are sure that no money moved. The gateway records the reason. Possible one day after the payment has expired; for a card, one day after the issuer's last event about the purchase.",
      }),
    ),
  },
  { additionalProperties: false, title: 'VoidInput', examples: [{}] },
)
