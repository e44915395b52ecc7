import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../base/errors.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { Timestamp } from './document/schemas.ts'

/** The state that a change was made from, as its caller names it. Undefined fields are not compared. */
export interface ExpectedState {
  readonly version: number | undefined
  readonly updatedAt: Instant | undefined
}

/** The current state of the thing to change. Agents and organizations have no version. */
interface StoredState {
  readonly version?: number
  readonly updatedAt: Instant
}

export const ExpectedVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description:
      'The `version` that your change is based on. If the mandate has a different version now, the response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The header If-Match does the same.',
  }),
)

export const ExpectedUpdatedAt = Type.Optional({
  ...Timestamp,
  description:
    'The `updatedAt` that your change is based on (ISO 8601, UTC). If it is different now, the response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The header If-Match does the same.',
})

interface ExpectingBody {
  readonly expectedVersion?: number
  readonly expectedUpdatedAt?: string
}

const VERSION = /^[1-9]\d{0,9}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** Proxies that compress a response mark its ETag as weak. */
const TAG = /^(?:W\/)?"([^"]*)"$/

/** Reads the expected states of a request. The body and the header may each name one. */
export function readExpectedStates(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: ExpectingBody | null | undefined,
): ExpectedState[] {
  const { expectedVersion: version, expectedUpdatedAt } = body ?? {}
  const updatedAt = expectedUpdatedAt === undefined ? undefined : Date.parse(expectedUpdatedAt)
  const ofHeader = readIfMatch(headers['if-match'])
  return [{ version, updatedAt }, ...(ofHeader ? [ofHeader] : [])]
}

function readIfMatch(header: string | undefined): ExpectedState | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const [, tag = ''] = TAG.exec(header.trim()) ?? []
  if (VERSION.test(tag)) return { version: Number(tag), updatedAt: undefined }
  const updatedAt = TIME.test(tag) ? Date.parse(tag) : Number.NaN
  if (!Number.isNaN(updatedAt)) return { version: undefined, updatedAt }
  throw new Problem(
    'validation_failed',
    'If-Match must be the ETag of a GET response, such as "3" or "2026-11-15T09:30:00.000Z", with its quotation marks.',
  )
}

/** Returns the first of the expected states that differs from the stored one. */
export function findOutdated(
  expected: readonly ExpectedState[],
  stored: StoredState,
): ExpectedState | undefined {
  return expected.find(
    ({ version, updatedAt }) =>
      (version !== undefined && version !== stored.version) ||
      (updatedAt !== undefined && toIso(updatedAt) !== toIso(stored.updatedAt)),
  )
}

/** The ETag that names this state in If-Match. */
export function toETag(state: number | Instant, kind: 'version' | 'updatedAt'): string {
  return kind === 'version' ? `"${state}"` : `"${toIso(state)}"`
}
