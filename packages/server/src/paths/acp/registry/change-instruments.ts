import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import { type FieldError, invalidFields } from '../../../base/errors.ts'
import { AgentId, Name, nullable } from '../../../http/document/schemas.ts'
import { findAgentIds } from '../../../storage/agents.ts'
import type { Tx } from '../../../storage/engine/database.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import {
  listSealedInstruments,
  replaceInstruments,
  type SealedInstrument,
} from '../storage/instruments.ts'
import { instrumentPurpose } from '../storage/sealed-values.ts'
import {
  INSTRUMENTS_MAX,
  type Instrument,
  TOKEN_ISSUERS,
  type TokenIssuerName,
} from './instrument.ts'

const HINT_CHARACTERS = 4

const fields = {
  id: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    description: 'Your own id for the instrument. A checkout selects it with `instrumentId`.',
    examples: ['company-card'],
  }),
  label: Name,
  issuer: Type.Enum([...TOKEN_ISSUERS], {
    type: 'string',
    title: 'InstrumentIssuer',
    description:
      "The token provider. `stripe`: payment tokens come from Stripe's API. `delegate_payment`: payment tokens come from any provider that supports ACP's delegate payment API.",
  }),
  paymentMethod: Type.String({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: "The token provider's id for the stored payment method. Never a card number.",
    examples: ['pm_1PqE2eLkdIwHu7ix'],
  }),
}
const BaseUrl = Type.String({
  format: 'http-url',
  maxLength: 1_024,
  description:
    "The base URL of the token provider. Required for `delegate_payment`. For `stripe`, the default is Stripe's API.",
  examples: ['https://api.provider.example/v1'],
})
const AgentIds = Type.Array(AgentId, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The agents that may pay with this instrument. Null or omitted: all agents.',
})
const Credential = Type.String({
  pattern: '^[\\x21-\\x7e]{8,1024}$',
  description:
    'Your API key at the token provider. Stored encrypted and never shown again. If omitted, the instrument with the same id keeps its stored key.',
  examples: ['sk_live_51PqE2eLkdIwHu7ix'],
})

export const Instruments = Type.Array(
  Type.Object(
    {
      ...fields,
      baseUrl: nullable(BaseUrl),
      agentIds: nullable(AgentIds),
      credentialHint: Type.String({ description: 'The last characters of the credential.' }),
    },
    { title: 'Instrument' },
  ),
  { description: "The organization's payment instruments for ACP checkouts." },
)

export const InstrumentInputs = Type.Array(
  Type.Object(
    {
      ...fields,
      baseUrl: Type.Optional(nullable(BaseUrl)),
      credential: Type.Optional(Credential),
      agentIds: Type.Optional(nullable(AgentIds)),
    },
    { additionalProperties: false, title: 'InstrumentInput' },
  ),
  {
    maxItems: INSTRUMENTS_MAX,
    description:
      "The organization's payment instruments for ACP checkouts. This list replaces the current one. An agent's default is the first instrument that it may use.",
  },
)

type Inputs = Static<typeof InstrumentInputs>
type Input = Inputs[number]

/** Returns the URLs of token providers, each with the path of its field. */
export function addressesOf(inputs: Inputs): [path: string, url: string][] {
  return inputs.flatMap(({ baseUrl }, index) =>
    typeof baseUrl === 'string' ? [[`${pathOf(index)}/baseUrl`, baseUrl]] : [],
  )
}

/** Replaces all instruments. The caller has locked the organization. */
export async function storeInstruments(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  inputs: Inputs,
): Promise<void> {
  const asked = inputs.flatMap(({ agentIds }) => agentIds ?? [])
  const [stored, agents] = await Promise.all([
    listSealedInstruments(tx, organizationId),
    findAgentIds(tx, organizationId, [...new Set(asked)]),
  ])
  const kept = new Map(stored.map((instrument) => [instrument.id, instrument]))
  const errors = inputs.flatMap((input, index) =>
    [
      ...formErrors(input, inputs.slice(0, index)),
      ...credentialErrors(input, kept.get(input.id)),
      ...agentErrors(input, agents),
    ].map((error) => ({ ...error, path: `${pathOf(index)}${error.path}` })),
  )
  if (errors.length > 0) throw invalidFields(errors)
  const instruments = inputs.map((input) =>
    toInstrument(sealer, organizationId, input, kept.get(input.id)),
  )
  for (const statement of replaceInstruments(organizationId, instruments)) tx.send(statement)
}

function pathOf(index: number): string {
  return `/acp/instruments/${index}`
}

function formErrors(input: Input, before: Inputs): FieldError[] {
  const { id, issuer, baseUrl } = input
  const isTwice = before.some((other) => other.id === id)
  const isNowhere = issuer === 'delegate_payment' && typeof baseUrl !== 'string'
  const hasQuery = baseUrl?.includes('?') === true
  const added = ADDED[issuer]
  const isTooLong = addressOf(input)?.endsWith(added) === true
  return [
    ...(isTwice ? [{ path: '/id', code: 'duplicate', message: 'is listed twice' }] : []),
    ...(isNowhere ? [{ path: '/baseUrl', code: 'required', message: NO_ADDRESS }] : []),
    ...(hasQuery ? [{ path: '/baseUrl', code: 'format', message: 'must not have a query' }] : []),
    ...(isTooLong ? [{ path: '/baseUrl', code: 'format', message: tooLong(added) }] : []),
  ]
}

/** The path that the gateway appends for each token provider. A base URL must not end with it. */
const ADDED: Readonly<Record<TokenIssuerName, string>> = {
  stripe: '/v1',
  delegate_payment: '/agentic_commerce/delegate_payment',
}

function tooLong(added: string): string {
  return `must end before ${added}, which the gateway appends`
}

const NO_ADDRESS = 'is required, because the gateway needs the URL of a delegate_payment provider'

/**
 * A stored credential is sent only to its previous URL: otherwise anyone who can set a URL could
 * read it.
 */
function credentialErrors(input: Input, stored: Instrument | undefined): FieldError[] {
  if (input.credential !== undefined) return []
  const path = '/credential'
  if (!stored) {
    return [{ path, code: 'required', message: 'is required, because none is stored for this id' }]
  }
  const isSame = stored.issuer === input.issuer && stored.baseUrl === addressOf(input)
  const message = 'must be sent again, because the gateway would send it to another address'
  return isSame ? [] : [{ path, code: 'required', message }]
}

function agentErrors({ agentIds }: Input, known: ReadonlySet<string>): FieldError[] {
  return (agentIds ?? []).flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `/agentIds/${index}`, code: 'unknown', message: 'is not an agent of yours' }],
  )
}

/**
 * Seals a kept credential again: a rotation of the master key may be running, and it would not find
 * the value that is stored here.
 */
function toInstrument(
  sealer: Sealer,
  organizationId: string,
  input: Input,
  stored: SealedInstrument | undefined,
): SealedInstrument {
  const { id, label, issuer, paymentMethod, agentIds = null } = input
  const purpose = instrumentPurpose(id)
  const kept = () => stored && sealer.open(organizationId, purpose, stored.credential)
  const credential = input.credential ?? kept()
  assert(credential !== undefined, 'an instrument has a credential, or it was refused')
  return {
    ...{ id, label, issuer, paymentMethod, agentIds },
    baseUrl: addressOf(input),
    credentialHint: credential.slice(-HINT_CHARACTERS),
    credential: sealer.seal(organizationId, purpose, credential),
  }
}

/** Removes trailing slashes, because the paths that follow begin with one. */
function addressOf({ baseUrl }: Input): string | null {
  return baseUrl?.replace(/\/+$/, '') ?? null
}

export function toInstrumentShapes(instruments: readonly Instrument[]): Static<typeof Instruments> {
  return instruments.map(({ agentIds, ...instrument }) => ({
    ...instrument,
    agentIds: agentIds && [...agentIds],
  }))
}
