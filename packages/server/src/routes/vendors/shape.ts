import { type Static, Type } from 'typebox'
import { type FieldError, invalidFields } from '../../base/errors.ts'
import {
  CARD_ALIASES_MAX,
  type CardAlias as CoreCardAlias,
  keyOfAlias,
} from '../../core/card-alias.ts'
import { BAD_CATEGORY, toCategory } from '../../core/category.ts'
import type { DirectoryEntry } from '../../core/directory-entry.ts'
import { toPublicId } from '../../core/id.ts'
import type { Payee as CorePayee } from '../../core/payee.ts'
import { EXAMPLE_TIME, exampleId } from '../../http/document/examples.ts'
import {
  ActorName,
  ActorsOwnName,
  Name,
  nullable,
  publicId,
  Timestamp,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { VendorField } from '../../http/path-fields.ts'

export const VendorId = publicId('ven', 'the vendor')
export const Host = Type.String({
  format: 'vendor',
  maxLength: 2_048,
  description:
    'Host name of the vendor, such as `api.example.com`. From a URL, the gateway takes the host. A host can have only one entry.',
  examples: ['api.example.com'],
})
export const Category = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "The category of the vendor's products. For x402 payments and ACP checkouts, it is used instead of the category that the agent names.",
  examples: ['data'],
})
const Payee = Type.Object({
  network: Type.String({
    pattern: '^eip155:[1-9][0-9]{0,17}$',
    description: 'The chain, as a CAIP-2 id.',
    examples: ['eip155:8453'],
  }),
  address: Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description: 'The address on that chain.',
    examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
  }),
})
const Payees = Type.Array(Payee, {
  maxItems: 20,
  description:
    'The addresses that x402 payments to this host may go to, at most 20. An empty list allows any address.',
})

const CardAlias = Type.Union(
  [
    Type.Object(
      {
        merchantId: Type.String({
          minLength: 1,
          maxLength: 120,
          description: "The merchant's id in the card network.",
          examples: ['100200300400'],
        }),
        network: Type.Optional(
          Type.String({
            pattern: '^[A-Za-z0-9_-]{1,40}$',
            description:
              'The card network of this id, as the issuer names it. If omitted, the id matches in any network.',
            examples: ['visa'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        name: Type.String({
          minLength: 1,
          maxLength: 120,
          description:
            "The merchant's name on card statements. The comparison ignores shop numbers, order numbers and the name of a payment service that collects for the merchant.",
          examples: ['EXAMPLE SAAS INC'],
        }),
      },
      { additionalProperties: false },
    ),
  ],
  { title: 'CardAlias' },
)
const CardAliases = Type.Array(CardAlias, {
  maxItems: CARD_ALIASES_MAX,
  description:
    'The ids and names under which card issuers know the vendor. An alias belongs to only one vendor of the organization. An id takes precedence over a name.',
  examples: [[{ merchantId: '100200300400', network: 'visa' }, { name: 'EXAMPLE SAAS INC' }]],
})

const changeable = {
  name: Type.Optional(nullable(Name)),
  category: Type.Optional(nullable(Category)),
  x402Payees: Type.Optional(Payees),
  cardAliases: Type.Optional(CardAliases),
}

/** The schemas of a vendor, with the field that a payment path provides. */
export function createVendorShapes(acp: Pick<VendorField, 'shown' | 'input' | 'change'>) {
  const Vendor = Type.Object(
    {
      id: VendorId,
      host: Type.String({
        description: 'The host name of the vendor.',
        examples: ['api.example.com'],
      }),
      name: nullable(Name),
      category: nullable(Category),
      x402Payees: Payees,
      cardAliases: CardAliases,
      acp: nullable(acp.shown),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      updatedBy: ActorName,
      updatedByName: ActorsOwnName,
    },
    {
      title: 'Vendor',
      examples: [
        {
          id: exampleId('ven'),
          host: 'api.example.com',
          name: 'Example API',
          category: 'data',
          x402Payees: [],
          cardAliases: [{ name: 'EXAMPLE SAAS INC' }],
          acp: null,
          createdAt: EXAMPLE_TIME,
          updatedAt: EXAMPLE_TIME,
          updatedBy: exampleId('key'),
        },
      ],
    },
  )

  const VendorInput = Type.Object(
    { host: Host, ...changeable, acp: Type.Optional(nullable(acp.input)) },
    {
      additionalProperties: false,
      title: 'VendorInput',
      examples: [{ host: 'api.example.com', category: 'data' }],
    },
  )

  const VendorChange = Type.Object(
    { ...changeable, acp: Type.Optional(nullable(acp.change)) },
    {
      additionalProperties: false,
      minProperties: 1,
      title: 'VendorChange',
      examples: [{ category: 'data' }],
    },
  )

  return { Vendor, VendorInput, VendorChange }
}

type VendorShape = Static<ReturnType<typeof createVendorShapes>['Vendor']>

const Changes = Type.Object(changeable)

/** Normalizes the values: a comparison with a payment must not depend on how they were typed. */
export function toChanges(
  body: Static<typeof Changes>,
): Partial<Pick<DirectoryEntry, 'name' | 'category' | 'payees' | 'cardAliases'>> {
  const { name, category, x402Payees: payees, cardAliases } = body
  const normalCategory = typeof category === 'string' ? toCategory(category) : category
  const isCategoryBad = typeof category === 'string' && normalCategory === undefined
  const errors = [
    ...(isCategoryBad ? [BAD_CATEGORY] : []),
    ...payeeErrors(payees ?? []),
    ...aliasErrors(cardAliases ?? []),
  ]
  if (errors.length > 0) throw invalidFields(errors)
  return {
    ...(name !== undefined && { name }),
    ...(normalCategory !== undefined && { category: normalCategory }),
    ...(payees !== undefined && { payees: payees.map(toPayee) }),
    ...(cardAliases !== undefined && { cardAliases }),
  }
}

function toPayee({ network, address }: CorePayee): CorePayee {
  return { network, address: address.toLowerCase() }
}

function payeeErrors(payees: readonly CorePayee[]): FieldError[] {
  const seen = new Set<string>()
  return payees.map(toPayee).flatMap(({ network, address }, index) => {
    const path = `/x402Payees/${index}/address`
    if (/^0x0+$/.test(address)) {
      return [{ path, code: 'zero_address', message: 'must not be the zero address' }]
    }
    if (seen.has(`${network} ${address}`)) {
      return [{ path, code: 'duplicate', message: 'is listed twice for this network' }]
    }
    seen.add(`${network} ${address}`)
    return []
  })
}

function aliasErrors(aliases: readonly CoreCardAlias[]): FieldError[] {
  const seen = new Set<string>()
  return aliases.flatMap((alias, index) => {
    const path = `/cardAliases/${index}/${'name' in alias ? 'name' : 'merchantId'}`
    const key = keyOfAlias(alias)
    if (key === undefined) {
      return [{ path, code: 'empty', message: 'contains no letter or digit to compare' }]
    }
    if (seen.has(key)) return [{ path, code: 'duplicate', message: 'is listed twice' }]
    seen.add(key)
    return []
  })
}

/** `acp` is the field in the format of its payment path. */
export function toVendorShape(vendor: DirectoryEntry, acp: unknown): VendorShape {
  const { host, name, category, payees, cardAliases } = vendor
  return {
    id: toPublicId('ven', vendor.id),
    host,
    name,
    category,
    x402Payees: [...payees],
    cardAliases: [...cardAliases],
    acp,
    createdAt: toTimestamp(vendor.createdAt),
    updatedAt: toTimestamp(vendor.updatedAt),
    updatedBy: vendor.updatedBy,
  }
}
