import type { AuditEntry } from '@purser/sdk'
import { Eye, ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useNow } from '../../parts/when.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TONE_CLASS } from '../../ui/tone.ts'
import { formatDay, formatSpan } from '../../words/time.ts'
import { ProofSteps } from './proof-steps.tsx'
import { ProofTree } from './proof-tree.tsx'
import { type ProofFacts, proofSteps, verdictWords } from './proof-words.ts'
import type { CheckedProof } from './use-proof.ts'

interface ProofProps {
  readonly entry: AuditEntry
  readonly checked: CheckedProof
  readonly timezone: string
  /** Accepts the keys of the gateway, after a person has compared them. */
  readonly onAcceptKeys: () => void
}

const SEALS = { ok: ShieldCheck, no: ShieldAlert, ask: ShieldQuestion }

/** The proof of a leaf: a sentence, the way through the tree, four steps, and open questions. */
export function Proof({ entry, checked, timezone, onAcceptKeys }: ProofProps) {
  const { check, proof, kept } = checked
  const now = useNow()
  const verdict = verdictWords(check, checked.isFirstSight)
  const tone = verdict.tone === 'no' || verdict.tone === 'ask' ? verdict.tone : 'ok'
  const Seal = SEALS[tone]
  const facts: ProofFacts = {
    ...{ check, index: entry.index, leaf: entry.leaf, commitment: entry.commitment },
    isFirstSight: checked.isFirstSight,
    keySince: formatDay(new Date(kept.since), timezone, new Date(now)),
    headAt: kept.head ? `${formatSpan(now - Date.parse(kept.head.at))} ago` : '',
    headSize: kept.head?.size ?? null,
  }
  return (
    <>
      <DrawerSection>
        <div className={`${TONE_CLASS[tone]} flex gap-3`} role="status">
          <span className="grid size-7.5 flex-none place-items-center rounded-2 border border-tone-line bg-tone-soft text-tone">
            <Seal aria-hidden size={16} strokeWidth={2} />
          </span>
          <p className="min-w-0 pt-0.75 text-read text-pretty">
            <b>{verdict.title}</b> {verdict.text}
          </p>
        </div>
        <Hashes entry={entry} checked={checked} />
        <Keys checked={checked} onAccept={onAcceptKeys} />
      </DrawerSection>
      <DrawerSection>
        <ProofTree
          index={entry.index}
          size={Math.max(proof.size, entry.index + 1)}
          hashes={check.inclusion.hashes}
          isBroken={tone === 'no'}
        />
        <ProofSteps steps={proofSteps(facts)} />
        <Notice className="mt-2 text-small" icon={<Eye aria-hidden size={16} strokeWidth={1.5} />}>
          A proven record was not changed after it was signed. The proof does not show that it was
          true, or that nothing was left out. To check without this gateway, copy the proof to a
          file: <code>npx purser verify proof.json --key log.vkey</code>
        </Notice>
      </DrawerSection>
    </>
  )
}

interface CheckedProps {
  readonly checked: CheckedProof
}

/** A record that does not fit: the hash that the log has, and the one that follows from it. */
function Hashes({ entry, checked: { check } }: CheckedProps & { readonly entry: AuditEntry }) {
  if (check.record.outcome !== 'refuted') return null
  const isPayload = check.record.leaf === entry.leaf
  const [log, found] = isPayload
    ? [entry.commitment, check.record.commitment]
    : [entry.leaf, check.record.leaf]
  return (
    <dl className="mt-3 grid gap-2 rounded-3 border border-no-line bg-no-soft p-3 text-small">
      <div>
        <dt className="text-ink-2">{isPayload ? 'Commitment' : 'Leaf'} in the log</dt>
        <dd className="font-mono wrap-anywhere">{log}</dd>
      </div>
      <div>
        <dt className="text-ink-2">The record on this page gives</dt>
        <dd className="font-mono wrap-anywhere">
          {found ?? 'no hash: a field has an unknown form'}
        </dd>
      </div>
    </dl>
  )
}

/** An unknown key: both sides to compare, and the decision of a person. */
function Keys({ checked, onAccept }: CheckedProps & { readonly onAccept: () => void }) {
  const { check, proof, kept } = checked
  if (check.signature.fault !== 'unknown_key') return null
  return (
    <div className="mt-3 grid gap-2 rounded-3 border border-no-line bg-no-soft p-3 text-small">
      <KeyList title="Keys that the gateway names now" keys={proof.keys} />
      <KeyList title="Keys that this browser keeps" keys={kept.keys} />
      <p>
        If the operator rotated the key, the new one is in the file that you keep. If it is not, the
        log may be forged.
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={proof.keys.join('\n')} label="Copy the new keys" size="sm" />
        <Button size="sm" variant="danger" onClick={onAccept}>
          I compared them: trust these keys here
        </Button>
      </div>
    </div>
  )
}

function KeyList({ title, keys }: { readonly title: string; readonly keys: readonly string[] }) {
  return (
    <div>
      <p className="text-ink-2">{title}</p>
      {keys.map((key) => (
        <p className="font-mono wrap-anywhere" key={key}>
          {key}
        </p>
      ))}
    </div>
  )
}
