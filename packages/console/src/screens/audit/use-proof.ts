import type { AuditEntry, AuditProof } from '@purser/sdk'
import type { EntryCheck } from '@purser/sdk/verify'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { type Kept, readKept, writeKept } from './kept.ts'

/** The proof of a leaf and the result of its check in this browser. */
export interface CheckedProof {
  readonly proof: AuditProof
  readonly check: EntryCheck
  /** The evidence that this browser had before this check. */
  readonly kept: Kept
  /** The keys and the head were kept by this very check. */
  readonly isFirstSight: boolean
}

export function useProof(entry: AuditEntry | undefined) {
  const client = useQueryClient()
  // The whole entry: the result for one content must never stand beside a different one.
  const queryKey = ['auditProof', entry]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => (entry ? checkLeaf(entry, signal) : null),
    enabled: entry !== undefined,
    // The same leaf is not checked each time the window is focused.
    staleTime: 60_000,
  })
  return {
    ...query,
    /** A person has compared the keys of the gateway with their own. */
    acceptKeys: async () => {
      if (!query.data) return
      const { proof, kept } = query.data
      writeKept(proof.log, { ...kept, keys: [...new Set([...kept.keys, ...proof.keys])] })
      await client.invalidateQueries({ queryKey })
    },
  }
}

async function checkLeaf(entry: AuditEntry, signal: AbortSignal): Promise<CheckedProof> {
  const proof = await purser.auditLog.proof({ index: entry.index }, { signal })
  const now = new Date().toISOString()
  const before = readKept(proof.log)
  const kept = before ?? { keys: proof.keys, since: now, head: null }
  if (!before) writeKept(proof.log, kept)
  const consistency = await proveGrowth(kept, proof, signal)
  // The code of the check is a file of its own, which loads with the first drawer.
  const { checkEntry } = await import('@purser/sdk/verify')
  const check = await checkEntry(entry, {
    ...{ proof, keys: kept.keys },
    kept: kept.head && { checkpoint: kept.head.note, consistency },
  })
  keepHead(proof, kept, check, now)
  return { proof, check, kept, isFirstSight: before === null }
}

/** A log that is shorter than the kept head proves nothing: the check refutes it. */
async function proveGrowth({ head }: Kept, { size }: AuditProof, signal: AbortSignal) {
  if (head === null || head.size > size) return null
  const answer = await purser.auditLog.proof({ from: head.size, to: size }, { signal })
  return answer.consistency
}

/** The head moves on only after a check in which nothing failed. */
function keepHead(proof: AuditProof, kept: Kept, check: EntryCheck, at: string): void {
  const steps = [check.record, check.inclusion, check.signature, check.growth]
  const isSound = check.signature.outcome === 'proven' && steps.every(isNotRefuted)
  const isNewer = proof.size >= (kept.head?.size ?? 0)
  if (!isSound || !isNewer) return
  writeKept(proof.log, { ...kept, head: { note: proof.checkpoint, size: proof.size, at } })
}

function isNotRefuted({ outcome }: { readonly outcome: string }): boolean {
  return outcome !== 'refuted'
}
