import { expect } from 'vitest'
import type { Client, createTestApp } from '../../support/app.ts'
import { bodyOf } from '../../support/builders.ts'
import { pathsOn } from '../../support/paths.ts'
import type { Evaluated, TransactionBody } from '../../support/spends.ts'
import { someDocument } from './some-offer.ts'

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

/** Base Sepolia is enabled, and nobody can be asked what happens there. */
export const WITHOUT_NODE = {
  paths: pathsOn([{ network: 'eip155:84532', rpcUrl: undefined, finality: 'latest' }]),
} satisfies Parameters<typeof createTestApp>[1]

export interface NewWallet {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly signerSecret: string | null
}

export interface WalletPage {
  readonly data: readonly (NewWallet & { readonly balances: readonly object[] })[]
  readonly total: number
  readonly nextCursor: string | null
}

/** The answer to a payment. */
export interface Paid extends Omit<Evaluated, 'amount'> {
  readonly amount: number | null
  readonly price: Readonly<Record<string, unknown>> | null
  readonly payee: { readonly address: string; readonly assurance: string } | null
  readonly payment: {
    readonly headerName: string
    readonly headerValue: string
    readonly payload: Fields
    readonly nonce: string
    readonly validBefore: string
  } | null
  readonly settlement: Readonly<Record<string, unknown>> | null
  readonly hold: Readonly<Record<string, unknown>> | null
}

export const URL_OF_VENDOR = 'https://api.vendor.example/v1/data'

export async function aWallet(client: Client, fields: Fields = {}): Promise<NewWallet> {
  const answer = await client.post('/wallets', { name: 'Payments', ...fields })
  bodyOf(answer)
  return JSON.parse(answer.text)
}

/** What an agent sends that met a 402 at api.vendor.example. */
export function aPayment(agentId: string, fields: Fields = {}): Fields {
  return { agentId, url: URL_OF_VENDOR, paymentRequired: someDocument(), ...fields }
}

/** Asks for a payment, which must be answered with a decision for the test to make sense. */
export async function pay(
  client: Client,
  agentId: string,
  fields: Fields = {},
  headers: Headers = {},
): Promise<Paid> {
  const answer = await client.post('/gateway/x402/pay', aPayment(agentId, fields), headers)
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text)
}

/** Asks for a payment that must be refused, and gives the problem as [status, code]. */
export async function refusalOf(
  client: Client,
  agentId: string,
  fields: Fields = {},
  headers: Headers = {},
): Promise<readonly [number, string]> {
  const { status, body } = await client.post(
    '/gateway/x402/pay',
    aPayment(agentId, fields),
    headers,
  )
  return [status, body.code]
}

/** The record of a payment. */
export interface PaymentRecord extends TransactionBody {
  readonly path: string
  readonly external: Readonly<Record<string, unknown>> | null
}

export async function readRecord(client: Client, transactionId: string): Promise<PaymentRecord> {
  const answer = await client.get(`/transactions/${transactionId}`)
  bodyOf(answer)
  return JSON.parse(answer.text)
}
