import { parseHash, signCheckpoint, toHex } from '@purser/audit'
import { type Static, Type } from 'typebox'
import { proveConsistency, proveInclusions, readRoot } from '../../audit/proofs.ts'
import { type HeadParts, readHead } from '../../audit/read-head.ts'
import { Problem, refusedParameter } from '../../base/errors.ts'
import { logOf } from '../../core/audit/decision-leaf.ts'
import type { App } from '../../http/app.ts'
import { nullable } from '../../http/document/schemas.ts'
import type { SignedHead } from '../../storage/audit/logs.ts'
import { findLeafIndex, listLeaves } from '../../storage/audit/read-leaves.ts'
import type { Database } from '../../storage/engine/database.ts'
import { PROOF_EXAMPLE } from './examples.ts'
import { LeafHash, LeafIndex, logShorter } from './shape.ts'

const Hashes = Type.Array(Type.String(), {
  description: 'From the leaf upwards, as RFC 6962 says.',
})

const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [2] })

const Query = Type.Object(
  {
    leaf: Type.Optional({ ...LeafHash, description: 'Prove the leaf with this hash.' }),
    index: Type.Optional({ ...LeafIndex, description: 'Prove the leaf at this place.' }),
    size: Type.Optional({ ...Size, description: 'In the log of so many leaves; the last signed.' }),
    from: Type.Optional({
      ...Size,
      examples: [1],
      description: 'Prove that the log goes on from so many leaves.',
    }),
    to: Type.Optional({ ...Size, description: 'Up to so many; the last signed.' }),
  },
  { additionalProperties: false },
)

const Proof = Type.Object(
  {
    log: Type.String({ description: 'The name of the log.' }),
    keys: Type.Array(Type.String(), {
      description:
        'The public keys of the log (C2SP verifier keys), the oldest first. Get them once by a way that you trust, and keep them.',
    }),
    size: Type.Integer({ description: 'How many leaves the checkpoint has.' }),
    checkpoint: Type.String({ description: 'The signed state of the log (a C2SP signed note).' }),
    inclusion: nullable(
      Type.Object(
        { index: LeafIndex, leaf: LeafHash, hashes: Hashes },
        { title: 'InclusionProof' },
      ),
    ),
    consistency: nullable(
      Type.Object(
        {
          from: Type.Integer(),
          root: Type.String({ description: 'The root of the first `from` leaves.' }),
          hashes: Hashes,
        },
        { title: 'ConsistencyProof' },
      ),
    ),
  },
  { title: 'AuditProof', examples: [PROOF_EXAMPLE] },
)

export function auditProofRoutes(app: App, { db, logKeys }: HeadParts): void {
  app.route({
    method: 'GET',
    url: '/audit-log/proof',
    schema: {
      operationId: 'getAuditProof',
      summary: 'Get the signed state of the audit log, and proofs of it',
      description:
        'Without a query it is the last checkpoint, with the public keys. With `leaf` or `index` it proves that the leaf is in the log, with `from` that the log goes on from an earlier state.',
      tags: ['Audit log'],
      querystring: Query,
      response: { 200: Proof },
    },
    config: { scope: 'audit:read', problems: ['leaf_not_found', 'log_shorter'] },
    handler: async ({ organizationId, query }) => {
      requireOne(query)
      const head = await readHead({ db, logKeys }, organizationId)
      const signed = head?.size ?? 0
      const size = query.size ?? query.to ?? signed
      const least = Math.max(size, query.from ?? 0, 1)
      if (!head || least > signed) throw logShorter(least, signed)
      const [keys, checkpoint, inclusion, consistency] = await Promise.all([
        logKeys.published(organizationId),
        checkpointOf({ db, logKeys }, organizationId, head, size),
        prove(db, organizationId, query, size),
        proveGrowth(db, organizationId, query.from, size),
      ])
      return { log: logOf(organizationId), keys, size, checkpoint, inclusion, consistency }
    },
  })
}

/** Each question has an answer of its own, so that it is clear what a proof is about. */
function requireOne({ leaf, index, size, from, to }: Static<typeof Query>): void {
  const isLeaf = leaf !== undefined || index !== undefined || size !== undefined
  const isGrowth = from !== undefined || to !== undefined
  const isBoth = leaf !== undefined && index !== undefined
  if (isBoth || (isLeaf && isGrowth)) {
    throw new Problem(
      'validation_failed',
      'Send one of these: leaf with size, index with size, or from with to.',
    )
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw refusedParameter('from', 'must not be greater than to')
  }
}

/** Signs an earlier state again if that is asked for: only the last checkpoint is kept. */
async function checkpointOf(
  { db, logKeys }: HeadParts,
  organizationId: string,
  head: SignedHead,
  size: number,
): Promise<string> {
  if (size === head.size) return head.note
  const root = await readRoot(db, organizationId, size)
  const signers = await logKeys.signers(organizationId)
  const note = signCheckpoint({ origin: logOf(organizationId), size, root }, signers)
  if (note === undefined) throw new Error('An earlier state of the log cannot be signed.')
  return note
}

async function prove(
  db: Database,
  organizationId: string,
  { leaf, index: place }: Static<typeof Query>,
  size: number,
) {
  const hash = parseHash(leaf)
  if (!hash && place === undefined) return null
  const index = hash ? await findLeafIndex(db, organizationId, hash) : place
  if (index === undefined) throw leafNotFound(size)
  const [proofs, [found]] = await Promise.all([
    proveInclusions(db, organizationId, [index], size),
    listLeaves(db, organizationId, index, index + 1),
  ])
  if (!proofs || !found) throw leafNotFound(size)
  return { index, leaf: toHex(found.hash), hashes: (proofs[0] ?? []).map(toHex) }
}

async function proveGrowth(
  db: Database,
  organizationId: string,
  from: number | undefined,
  size: number,
) {
  if (from === undefined) return null
  const [hashes, root] = await Promise.all([
    proveConsistency(db, organizationId, from, size),
    readRoot(db, organizationId, from),
  ])
  if (!hashes) throw logShorter(from, size)
  return { from, root: toHex(root), hashes: hashes.map(toHex) }
}

function leafNotFound(size: number): Problem {
  return new Problem(
    'leaf_not_found',
    `The first ${size} leaves of the audit log do not include this leaf. New events are sealed within seconds.`,
  )
}
