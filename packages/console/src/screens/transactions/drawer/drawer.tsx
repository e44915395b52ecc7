import type { ListedTransaction, Transaction } from '@purser/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Link as LinkIcon } from 'lucide-react'
import { lazy, memo, Suspense, useEffect, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { isNotFound } from '../../../data/query-client.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTitle } from '../../../page/use-title.ts'
import { Id } from '../../../parts/id.tsx'
import { Why } from '../../../parts/why/why.tsx'
import { CopyButton, useCopy } from '../../../ui/copy-button.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { DrawerSection } from '../../../ui/drawer-section.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { nameOf } from '../sentences.ts'
import { DrawerActions } from './drawer-actions.tsx'
import { MoreActions } from './more-actions.tsx'
import { prefetchWhy } from './prefetch.ts'
import { type Retrial, RetrialNotice, useRetrial } from './retrial.tsx'

const Code = lazy(() => import('../../../ui/code.tsx').then((it) => ({ default: it.Code })))

interface TransactionDrawerProps {
  readonly id: string
  readonly tab: 'why' | 'json'
  readonly onTab: (tab: 'why' | 'json') => void
  readonly onMove: (step: 1 | -1) => void
  readonly onClose: () => void
  /** The transaction was changed here, so the row of the list changes too. */
  readonly onChanged: (transaction: ListedTransaction) => void
}

/** A hold can change at any moment, and not every change is announced. */
const HELD_MS = 5_000

/** “Why?”: the answer for one transaction, beside the list or over it. */
export const TransactionDrawer = memo(function TransactionDrawer(props: TransactionDrawerProps) {
  const { id, tab, onMove, onClose, onChanged } = props
  const found = useQuery({
    ...queries.transaction(id),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.status === 'held' ? HELD_MS : false),
  })
  // The timeline of the transaction would be asked for only when the transaction itself is here.
  const client = useQueryClient()
  useEffect(() => prefetchWhy(client, id), [client, id])
  const transaction = found.data
  const isOld = found.isPlaceholderData
  // A fast answer replaces the old one without dimming it first, which would draw it once more.
  const isDimmed = useDelayed(isOld, 150, 0) && isOld
  const retrial = useRetrial(transaction, id)
  const title = transaction ? nameOf(transaction) : 'Transaction'
  useTitle(title)
  useEffect(() => {
    if (transaction) onChanged(transaction)
  }, [transaction, onChanged])
  const { copy } = useCopy()
  useShortcut('c', () => void copy(id).then((done) => done && toast('The id is copied.')), {
    ...{ label: 'Copy the id', group: 'Transactions' },
  })
  return (
    <Drawer
      open
      onClose={onClose}
      label={`Why? ${title}`}
      header={
        <>
          <h2 tabIndex={-1}>Why?</h2>
          {/* On a phone the buttons need the room. The details have the id too. */}
          <span className="max-phone:hidden">
            <Id value={id} />
          </span>
        </>
      }
      actions={
        <>
          <IconButton
            icon={<ChevronUp size={14} aria-hidden />}
            kbd={['k']}
            label="Previous"
            size="sm"
            onClick={() => onMove(-1)}
          />
          <IconButton
            icon={<ChevronDown size={14} aria-hidden />}
            kbd={['j']}
            label="Next"
            size="sm"
            onClick={() => onMove(1)}
          />
          <CopyLink id={id} />
          {transaction ? <MoreActions transaction={transaction} retrial={retrial} /> : null}
        </>
      }
      footer={
        transaction ? (
          // The buttons act on the transaction on screen, so they are off while the next one loads.
          <div className="contents" inert={isOld}>
            <DrawerActions transaction={transaction} retrial={retrial} onChanged={onChanged} />
          </div>
        ) : undefined
      }
    >
      {found.isError ? (
        <DrawerSection>
          <Missing error={found.error} onRetry={() => void found.refetch()} />
        </DrawerSection>
      ) : transaction ? (
        <div className={isDimmed ? 'opacity-60' : ''} aria-busy={isOld}>
          <Content {...{ transaction, tab, retrial }} onTab={props.onTab} />
        </div>
      ) : (
        <div className="px-5 py-4">
          <Skeleton rows={8} />
        </div>
      )}
    </Drawer>
  )
})

interface ContentProps {
  readonly transaction: Transaction
  readonly tab: 'why' | 'json'
  readonly onTab: (tab: 'why' | 'json') => void
  readonly retrial: Retrial
}

function Content({ transaction, tab, onTab, retrial }: ContentProps) {
  return (
    <div className="[&>div>[role=tablist]]:px-5">
      <Tabs
        label="Views of the transaction"
        value={tab}
        onChange={onTab}
        items={[
          { value: 'why', label: 'Why' },
          { value: 'json', label: 'JSON' },
        ]}
      >
        {tab === 'json' ? (
          <div className="px-5 py-4">
            <Suspense fallback={<Skeleton rows={8} />}>
              <Code lang="json" label="The transaction as JSON" wrap>
                {JSON.stringify(transaction, null, 2)}
              </Code>
            </Suspense>
          </div>
        ) : (
          <Why transaction={transaction}>
            <RetrialNotice retrial={retrial} transaction={transaction} />
          </Why>
        )}
      </Tabs>
    </div>
  )
}

function CopyLink({ id }: { readonly id: string }) {
  const [origin] = useState(() => location.origin)
  return (
    <CopyButton
      iconOnly
      size="sm"
      variant="quiet"
      label="Copy the link"
      icon={<LinkIcon size={14} aria-hidden />}
      text={`${origin}/transactions/${id}`}
    />
  )
}

interface MissingProps {
  readonly error: unknown
  readonly onRetry: () => void
}

function Missing({ error, onRetry }: MissingProps) {
  if (isNotFound(error)) {
    return (
      <Notice title="There is no such transaction.">
        The address may be mistyped, or it belongs to a different organization.
      </Notice>
    )
  }
  return (
    <ErrorNotice
      title="The transaction could not be loaded."
      error={asPurserError(error)}
      onRetry={onRetry}
    />
  )
}
