import type { Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { FilePen } from 'lucide-react'
import { queries } from '../../../data/queries.ts'
import { When } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { countTermChanges } from '../../../words/term-changes.ts'
import { countOf } from '../../../words/text.ts'
import { useLeavingIds } from '../leaving.ts'
import { actorName } from '../sentences.ts'

/** The drafts of the next version, each with who works on it. */
export function MandateDrafts({ mandate }: { readonly mandate: Mandate }) {
  const isActive = mandate.status === 'active'
  const drafts = useQuery({ ...queries.mandates({ draftOf: mandate.id }), enabled: isActive }).data
  const leaving = useLeavingIds()
  const shown = (drafts?.data ?? []).filter(({ id }) => !leaving.has(id))
  return shown.map((draft) => (
    <Notice
      action={
        <Button
          render={
            <Link
              params={{ id: mandate.id }}
              search={{ draft: draft.id }}
              to="/mandates/$id/edit"
            />
          }
          size="sm"
        >
          Open the draft
        </Button>
      }
      icon={<FilePen aria-hidden size={16} strokeWidth={1.5} />}
      key={draft.id}
    >
      {actorName(draft.updatedBy, draft.updatedByName)} has a draft of the next version with{' '}
      {countOf(countTermChanges(mandate, draft), 'change')}, saved <When ago at={draft.updatedAt} />
      .
    </Notice>
  ))
}
