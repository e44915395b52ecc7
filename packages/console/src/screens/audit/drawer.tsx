import type { AuditEntry } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Download } from 'lucide-react'
import { useMemo } from 'react'
import { queries } from '../../data/queries.ts'
import { isNotFound } from '../../data/query-client.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { Id } from '../../parts/id.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { leafSentence } from '../../words/leaf-sentences.ts'
import { formatCount } from '../../words/money.ts'
import { LeafContent } from './leaf-content.tsx'
import { Proof } from './proof.tsx'
import { saveFile } from './save-file.ts'
import { LeafIcon, Pieces } from './sentence.tsx'
import { type AuditNames, useLeafNames } from './use-leaf-names.ts'
import { type CheckedProof, useProof } from './use-proof.ts'

interface LeafDrawerProps {
  readonly index: number
  /** The leaves of the list, once it is here. */
  readonly listed: readonly AuditEntry[]
  readonly onMove: (step: 1 | -1) => void
  readonly onClose: () => void
}

/** One leaf: its proof, checked in this browser, and its content. */
export function LeafDrawer({ index, listed, onMove, onClose }: LeafDrawerProps) {
  const inList = listed.find((one) => one.index === index)
  const found = useQuery({ ...queries.leaf(index), enabled: inList === undefined })
  const entry = inList ?? found.data ?? undefined
  const known = useMemo(() => (listed.length > 0 || !entry ? listed : [entry]), [listed, entry])
  const names = useLeafNames(known)
  const proof = useProof(entry)
  const title = `Leaf ${formatCount(index)}`
  useTitle(`${title} · Audit log`)
  return (
    <Drawer
      open
      onClose={onClose}
      label={title}
      header={
        <>
          <h2 tabIndex={-1}>{title}</h2>
          {entry ? <Id value={entry.leaf} /> : null}
        </>
      }
      actions={<Moves onMove={onMove} />}
      footer={proof.data ? <Actions checked={proof.data} /> : undefined}
    >
      {entry ? (
        <>
          <DrawerSection>
            <Sentence entry={entry} names={names} />
          </DrawerSection>
          {proof.data ? (
            <Proof
              entry={entry}
              checked={proof.data}
              timezone={names.timezone}
              onAcceptKeys={() => void proof.acceptKeys()}
            />
          ) : (
            <DrawerSection>
              {proof.error ? (
                <ErrorNotice
                  title="The proof could not be loaded."
                  error={asPurserError(proof.error)}
                  onRetry={() => void proof.refetch()}
                />
              ) : (
                <Skeleton rows={8} />
              )}
            </DrawerSection>
          )}
          <LeafContent entry={entry} names={names} />
        </>
      ) : (
        <DrawerSection>
          <Missing query={found} />
        </DrawerSection>
      )}
    </Drawer>
  )
}

function Sentence({ entry, names }: { readonly entry: AuditEntry; readonly names: AuditNames }) {
  const { who, what, icon } = leafSentence(entry, names)
  return (
    <p className="flex items-start gap-2 text-read [&>svg]:mt-0.75">
      <LeafIcon name={icon} />
      <span className="min-w-0 wrap-anywhere">
        <bdi className="font-strong">{who}</bdi> <Pieces pieces={what} />
      </span>
    </p>
  )
}

function Missing({ query }: { readonly query: ReturnType<typeof useQuery<AuditEntry | null>> }) {
  if (query.isPending) return <Skeleton rows={8} />
  if (query.error && !isNotFound(query.error)) {
    return (
      <ErrorNotice
        title="The leaf could not be loaded."
        error={asPurserError(query.error)}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return <Notice title="There is no such leaf.">The log may not be that long.</Notice>
}

function Moves({ onMove }: { readonly onMove: (step: 1 | -1) => void }) {
  return (
    <>
      <IconButton
        icon={<ChevronUp aria-hidden size={14} />}
        kbd={['k']}
        label="Previous leaf"
        onClick={() => onMove(-1)}
        size="sm"
      />
      <IconButton
        icon={<ChevronDown aria-hidden size={14} />}
        kbd={['j']}
        label="Next leaf"
        onClick={() => onMove(1)}
        size="sm"
      />
    </>
  )
}

function Actions({ checked: { proof } }: { readonly checked: CheckedProof }) {
  return (
    <>
      <CopyButton text={() => JSON.stringify(proof)} label="Copy the proof" />
      <Button
        icon={<Download aria-hidden size={14} />}
        onClick={() => {
          saveFile(`head-${proof.size}.note`, [proof.checkpoint])
          toast('Head saved. Keep the file where the operator of the gateway cannot change it.')
        }}
      >
        Keep this head
      </Button>
    </>
  )
}
