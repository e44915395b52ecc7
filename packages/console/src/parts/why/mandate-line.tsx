import type { Rule, Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { Link } from '../../router/link.tsx'

/** The rules that decide by the spend alone: they judge the same spend the same way again. */
const FIXED_TYPES = new Set(['amount', 'vendors', 'categories', 'paths'])

/** The mandate of a decision, as it is now. */
export function useDecidedMandate({ mandateId, evaluationDetails }: Transaction) {
  const version = evaluationDetails?.mandateVersion ?? null
  const { data: mandate } = useQuery({
    ...queries.mandate(mandateId ?? ''),
    enabled: mandateId !== null,
  })
  const isChanged = mandate !== undefined && version !== null && mandate.version !== version
  const { data: versions } = useQuery({
    ...queries.mandateVersions(mandateId ?? ''),
    enabled: isChanged,
  })
  const judged = isChanged ? versions?.data.find((one) => one.version === version) : mandate
  return { mandate, definitions: judged?.rules as readonly Rule[] | undefined }
}

/** "Travel mandate, version 4": a link to the mandate. */
export function MandateLink({ transaction }: { readonly transaction: Transaction }) {
  const { mandate } = useDecidedMandate(transaction)
  const { mandateId, evaluationDetails } = transaction
  if (mandateId === null) return null
  const version = evaluationDetails?.mandateVersion
  return (
    <Link to="/mandates/$id" params={{ id: mandateId }} className="font-medium">
      <bdi>{mandate?.name ?? 'Mandate'}</bdi>
      {version ? `, version ${version}` : ''}
    </Link>
  )
}

/** Whether the version that decided is still active, and the consequence for the same spend. */
export function VersionLine({ transaction }: { readonly transaction: Transaction }) {
  const { mandate } = useDecidedMandate(transaction)
  const { evaluationDetails: details, decision } = transaction
  const version = details?.mandateVersion
  if (!mandate || !details || !version) return null
  if (mandate.status !== 'active') {
    return <Sentence>The mandate is {mandate.status} now.</Sentence>
  }
  if (mandate.version !== version) {
    return (
      <Sentence>
        Version {mandate.version} is active now:{' '}
        <Link
          to="/mandates/$id/versions"
          params={{ id: mandate.id }}
          search={{ a: String(version), b: String(mandate.version) }}
        >
          see what changed
        </Link>
        .
      </Sentence>
    )
  }
  const first = details.rules.find(({ id }) => id === details.firstFailure)
  const isCertain = decision === 'rejected' && first !== undefined && FIXED_TYPES.has(first.type)
  return (
    <Sentence>
      Version {version} is still active
      {isCertain ? ', so the same spend would be rejected today.' : '.'}
    </Sentence>
  )
}

function Sentence({ children }: { readonly children: React.ReactNode }) {
  return <p className="mt-2 text-small text-ink-2">{children}</p>
}
