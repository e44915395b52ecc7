import type { Organization } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Power } from 'lucide-react'
import { purser } from '../data/client.ts'
import { queries } from '../data/queries.ts'
import { useMay } from '../data/session.ts'
import { useAction } from '../data/use-action.ts'
import { When } from '../parts/when.tsx'
import { Button } from '../ui/button.tsx'

/** The first thing in every sheet while all spending is frozen. */
export function FrozenBar() {
  const { data } = useQuery(queries.organization())
  const may = useMay('organization:write')
  const resume = useAction({
    run: (_: undefined, options) => purser.organization.update({ frozen: false }, options),
    sentence: 'Resume spending: agents may spend again at once.',
    touches: [['organization']],
    done: () => 'Spending resumed. Agents may spend again.',
  })
  if (!data?.frozen) return null
  return (
    <div
      role="status"
      className="tone-no flex flex-wrap items-center gap-3 rounded-t-4 border-b border-tone-line bg-tone-soft px-6 py-2.5"
    >
      <Power size={16} strokeWidth={1.75} className="flex-none text-tone" aria-hidden />
      <p className="min-w-0 flex-1 basis-60">
        <b>All spending is frozen.</b> <Frozen {...data} /> Every spend is rejected.
        {resume.error ? <span className="block text-tone">{resume.error.detail}</span> : null}
      </p>
      <Button
        busy={resume.isBusy}
        disabledReason={may.reason}
        onClick={() => void resume.start(undefined)}
      >
        Resume spending…
      </Button>
    </div>
  )
}

/** Who froze it, when and why, as far as the gateway knows. */
interface FrozenFacts {
  readonly frozenAt?: string | null
  readonly frozenByName?: string | null
  readonly frozenReason?: string | null
}

function Frozen({ frozenAt, frozenByName, frozenReason }: Organization & FrozenFacts) {
  if (!frozenAt) return null
  return (
    <>
      <bdi>{frozenByName ?? 'The operator'}</bdi> froze it <When ago at={frozenAt} />
      {frozenReason ? (
        <>
          : “<bdi>{frozenReason}</bdi>”
        </>
      ) : null}
      .
    </>
  )
}
