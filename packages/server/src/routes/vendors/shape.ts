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
  Name,
  nullable,
  publicId,
  Timestamp,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { VendorField } from '../../http/path-fields.ts'

export const VendorId = publicId('ven', 'a vendor')
export const Host = Type.String({
  format: 'vendor',
  maxLength: 2_048,
  description: 'Host name of the vendor; a URL is reduced to its host. One entry per host.',
  examples: ['api.example.com'],
})
export const Category = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'What the vendor sells. Comes before what an agent says of an x402 payment.',
  examples: ['data'],
})
const Payee = Type.Object({
  network: Type.String({
    pattern: '^eip155:[1-9][0-9]{0,17}$',
    description: 'The chain, as CAIP-2 writes it.',
    examples: ['eip155:8453'],
  }),
  address: Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
  }),
})
const Payees = Type.Array(Payee, {
  maxItems: 20,
  description: 'Where there are any, x402 payments for this host go to these addresses only.',
})

const CardAlias = Type.Union(
  [
    Type.Object(
      {
        merchantId: Type.String({
          minLength: 1,
          maxLength: 120,
          description: 'What the network calls the merchant.',
          examples: ['100200300400'],
        }),
        network: Type.Optional(
          Type.String({
            pattern: '^[A-Za-z0-9_-]{1,40}$',
            description: 'The network whose id it is, as the issuer names it; without it, any.',
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
            'What stands on statements. Compared without the numbers of shops and orders, and without the name of a service that collects for the merchant.',
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
    'As whom issuers of cards know the vendor. Each leads to one vendor of the organization; an id comes before a name.',
  examples: [[{ merchantId: '100200300400', network: 'visa' }, { name: 'EXAMPLE SAAS INC' }]],
})

const changeable = {
  name: Type.Optional(nullable(Name)),
  category: Type.Optional(nullable(Category)),
  x402Payees: Type.Optional(Payees),
  cardAliases: Type.Optional(CardAliases),
}

/** The schemas of a vendor, with the field that a payment path brings. */
export function createVendorShapes(acp: Pick<VendorField, 'shown' | 'input' | 'change'>) {
  const Vendor = Type.Object(
    {
      id: VendorId,
      host: Type.String({ examples: ['api.example.com'] }),
      name: nullable(Name),
      category: nullable(Category),
      x402Payees: Payees,
      cardAliases: CardAliases,
      acp: nullable(acp.shown),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      updatedBy: ActorName,
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

/**
 * The values are in normal form: what a payment is compared with must not depend on how somebody
 * typed it.
 */
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

/** `acp` is the field as its payment path shows it. */
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
