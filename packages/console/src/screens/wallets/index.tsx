import type { NewWallet } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { curlOf } from '../../parts/curl.ts'
import { useNavigate, useSearch } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { countOf } from '../../words/text.ts'
import { WalletCard } from './wallet-card.tsx'

const WalletDialog = lazy(() =>
  import('./wallet-dialog.tsx').then((one) => ({ default: one.WalletDialog })),
)
const SecretOnce = lazy(() =>
  import('../../parts/secret/secret-once.tsx').then((one) => ({ default: one.SecretOnce })),
)

/** The wallets of the organization: "Is there enough?" */
export function Wallets() {
  const { new: isNew } = useSearch<{ new?: string }>()
  const navigate = useNavigate()
  const may = useMay('wallets:write')
  const wallets = useQuery(queries.wallets())
  const [created, setCreated] = useState<NewWallet | null>(null)
  useTitle('Wallets')
  const open = () => void navigate({ to: '/wallets', search: { new: '1' } })
  const close = () => navigate({ to: '/wallets', search: {}, replace: true })
  async function show(wallet: NewWallet) {
    // The page moves first: the dialog with the secret holds the page until the secret is copied.
    await close()
    if (wallet.signerSecret !== null) setCreated(wallet)
  }
  return (
    <>
      <PageHeader
        title="Wallets"
        after={wallets.data ? countOf(wallets.data.total, 'wallet') : undefined}
      >
        <Button
          icon={<Plus aria-hidden size={14} />}
          onClick={open}
          disabledReason={may.reason}
          variant="primary"
        >
          Create wallet
        </Button>
      </PageHeader>
      <Content wallets={wallets}>
        <div className="grid items-start gap-4 p-4 tablet:p-6 laptop:grid-cols-2">
          {(wallets.data?.data ?? []).map((wallet) => (
            <WalletCard key={wallet.id} wallet={wallet} />
          ))}
        </div>
      </Content>
      <Suspense fallback={null}>
        {isNew !== undefined && may.isAllowed ? (
          <WalletDialog onCreated={(wallet) => void show(wallet)} onClose={() => void close()} />
        ) : null}
        {created?.signerSecret ? (
          <SecretOnce
            title={`Here is the signer secret of ${created.name}`}
            description="Your signer checks X-Service-Signature of each request with it. Purser shows it only once."
            noun="secret"
            secret={created.signerSecret}
            onClose={() => setCreated(null)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

interface ContentProps {
  readonly wallets: ReturnType<typeof useQuery<{ readonly data: readonly unknown[] }>>
  readonly children: ReactNode
}

function Content({ wallets, children }: ContentProps) {
  if (wallets.error && !wallets.data) {
    return (
      <div className="p-4 tablet:p-6">
        <ErrorNotice
          title="The wallets could not be loaded."
          error={asPurserError(wallets.error)}
          onRetry={() => void wallets.refetch()}
        />
      </div>
    )
  }
  if (!wallets.data) {
    return (
      <div className="p-4 tablet:p-6">
        <Skeleton shape="block" height={180} />
      </div>
    )
  }
  if (wallets.data.data.length > 0) return children
  return (
    <Empty
      title="Wallets from which agents pay by x402 appear here."
      command={curlOf({ method: 'POST', path: '/wallets', body: { name: 'Main wallet' } })}
    >
      Create one, then send USDC to its address.
    </Empty>
  )
}
