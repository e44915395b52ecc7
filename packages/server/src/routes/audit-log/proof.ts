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
  description: 'The hashes of the proof, from the leaf up to the root, as defined in RFC 6962.',
})

const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [2] })

const Query = Type.Object(
  {
    leaf: Type.Optional({
      ...LeafHash,
      description: 'Return an inclusion proof for the leaf with this hash.',
    }),
    index: Type.Optional({
      ...LeafIndex,
      description: 'Return an inclusion proof for the leaf at this position, counted from 0.',
    }),
    size: Type.Optional({
      ...Size,
      description: 'The tree size for the proofs. Default: `to`, or the latest signed size.',
    }),
    from: Type.Optional({
      ...Size,
      examples: [1],
      description: 'Also return a consistency proof from this tree size.',
    }),
    to: Type.Optional({
      ...Size,
      description:
        'The tree size up to which the consistency proof goes, the same as `size`. Default: `size`, or the latest signed size.',
    }),
  },
  { additionalProperties: false },
)

const Proof = Type.Object(
  {
    log: Type.String({ description: 'The name of the audit log.' }),
    keys: Type.Array(Type.String(), {
      description:
        'The public keys of the audit log (C2SP verifier keys), oldest first. Get them once over a channel that you trust, and store them.',
    }),
    size: Type.Integer({ description: 'The number of leaves that the checkpoint covers.' }),
    checkpoint: Type.String({
      description: 'The checkpoint: the signed state of the audit log, as a C2SP signed note.',
    }),
    inclusion: nullable(
      Type.Object(
        { index: LeafIndex, leaf: LeafHash, hashes: Hashes },
        {
          title: 'InclusionProof',
          description: 'Proves that the audit log contains the leaf. Null unless requested.',
        },
      ),
    ),
    consistency: nullable(
      Type.Object(
        {
          from: Type.Integer({ description: 'The tree size from which the proof starts.' }),
          root: Type.String({
            description: 'The root hash of the tree with the first `from` leaves.',
          }),
          hashes: Hashes,
        },
        {
          title: 'ConsistencyProof',
          description: 'Proves that the audit log only grew since `from`. Null unless requested.',
        },
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
      summary: "Get the audit log's checkpoint, with proofs",
      description:
        'Without parameters, returns the latest checkpoint and the public keys. With `leaf` or `index`, also returns an inclusion proof: the audit log contains this leaf. With `from`, also returns a consistency proof: the audit log only grew since that size. With both, both proofs are for the same tree size.',
      tags: ['Audit log'],
      querystring: Query,
      response: { 200: Proof },
    },
    config: { scope: 'audit:read', problems: ['leaf_not_found', 'log_shorter'] },
    handler: async ({ organizationId, query }) => {
      requireOneTree(query)
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

/** Both proofs of a response are about the tree that its checkpoint signs. */
function requireOneTree({ leaf, index, size, from, to }: Static<typeof Query>): void {
  if (leaf !== undefined && index !== undefined) {
    throw refusedParameter('index', 'cannot be combined with leaf: send one of them')
  }
  if (size !== undefined && to !== undefined && size !== to) {
    throw refusedParameter('to', 'must be equal to size: both proofs are for one tree size')
  }
  const end = to ?? size
  if (from !== undefined && end !== undefined && from > end) {
    throw refusedParameter('from', `must not be greater than ${to === undefined ? 'size' : 'to'}`)
  }
}

/** Signs an earlier state again on request, because only the latest checkpoint is stored. */
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
