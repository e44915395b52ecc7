import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { PATH_WORDS, REASON_WORDS, STATUS_WORDS } from '../../../words/words.ts'
import type { ChipKind } from './chips.ts'
import { Choices } from './choices.tsx'
import { type TransactionSearch, toggleValue, valuesOf } from './filters.ts'
import { PeriodEditor } from './period-editor.tsx'
import { AmountEditor, TextEditor } from './text-editors.tsx'

interface ChipEditorProps {
  readonly chip: ChipKind
  readonly search: TransactionSearch
  readonly onChange: (change: TransactionSearch) => void
  readonly onClose: () => void
}

const PATHS = Object.entries(PATH_WORDS).map(([value, label]) => ({ value, label }))
const STATUSES = Object.entries(STATUS_WORDS).map(([value, { word }]) => ({ value, label: word }))
const DECISIONS = [
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
]
const FLAGGED = [
  { value: 'true', label: 'Flagged' },
  { value: 'false', label: 'Not flagged' },
]

/** The popup of a filter. Choices act at once; texts and amounts are applied. */
export function ChipEditor({ chip, search, onChange, onClose }: ChipEditorProps) {
  const { id, label } = chip
  const value = search[id] ?? ''
  function apply(change: TransactionSearch): void {
    onChange(change)
    onClose()
  }
  const choices = useChoices(id)
  if (id === 'period') return <PeriodEditor search={search} onChange={apply} />
  if (id === 'amount') return <AmountEditor search={search} onApply={apply} />
  if (choices) {
    return (
      <Choices
        label={label}
        choices={choices}
        chosen={valuesOf(value)}
        onToggle={(one) =>
          id === 'flagged'
            ? apply({ flagged: value === one ? undefined : one })
            : onChange({ [id]: toggleValue(value, one) })
        }
      />
    )
  }
  return (
    <TextEditor
      label={label}
      help={HELPS[id]}
      value={value}
      onApply={(text) => apply({ [id]: id === 'vendor' ? text.toLowerCase() : text })}
    />
  )
}

const HELPS: Readonly<Record<string, string>> = {
  vendor: 'The whole host, such as api.openai.com.',
  rule: 'The id of a rule in the mandate, such as amount.',
  approval: 'An id that begins with apr_.',
  card: 'An id that begins with card_.',
}

/** The list of a filter that has one. */
function useChoices(id: string) {
  const agents = useQuery({ ...queries.agents({ include: 'mandate' }), enabled: id === 'agent' })
  const mandates = useQuery({ ...queries.mandates(), enabled: id === 'mandate' })
  const named = (list: readonly { id: string; name: string }[] | undefined) =>
    (list ?? []).map((one) => ({ value: one.id, label: one.name }))
  if (id === 'agent') return named(agents.data?.data)
  if (id === 'mandate') return named(mandates.data?.data)
  if (id === 'path') return PATHS
  if (id === 'code') return REASON_WORDS
  if (id === 'status') return STATUSES
  if (id === 'decision') return DECISIONS
  return id === 'flagged' ? FLAGGED : undefined
}
