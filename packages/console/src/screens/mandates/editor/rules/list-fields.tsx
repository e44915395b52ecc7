import type { DuplicateField } from '@purser/sdk'
import type { ReactNode } from 'react'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { PATH_WORDS } from '../../../../words/words.ts'
import { listWas } from '../form/marks.ts'
import { PATHS, SAME_FIELDS } from '../form/rule-form.ts'
import { DurationField } from './duration-field.tsx'
import { EntryList } from './entry-list.tsx'
import { type FieldsProps, textProps, withList } from './fields-props.ts'
import { MoreSettings } from './more-settings.tsx'

/** The hosts, or the categories, that are allowed and blocked. */
export function ListFields(props: FieldsProps) {
  const { rule, before, onChange, problem } = props
  const noun = rule.type === 'vendors' ? 'host' : 'category'
  const list = (field: 'allow' | 'block', label: string, after?: ReactNode) => (
    <EntryList
      after={after}
      before={before?.lists[field]}
      entries={rule.lists[field] ?? []}
      error={problem(field)}
      label={label}
      noun={noun}
      onChange={(entries) => onChange(withList(rule, field, entries))}
    />
  )
  return list(
    'allow',
    'Allowed',
    <MoreSettings isUsed={(rule.lists['block'] ?? []).length > 0} label="Blocked">
      <div className="col-span-full">{list('block', 'Blocked')}</div>
    </MoreSettings>,
  )
}

interface ChoicesProps {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly before: readonly string[] | undefined
  readonly onChange: (chosen: readonly string[]) => void
  readonly error: string | undefined
}

function Choices({ label, options, chosen, before, onChange, error }: ChoicesProps) {
  const was = listWas(before, chosen)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot wrap its legend inline.
    <div aria-label={label} role="group">
      <div className="flex flex-wrap gap-x-4 gap-y-1 pt-1">
        {options.map(({ value, label: words }) => (
          <Checkbox
            checked={chosen.includes(value)}
            key={value}
            label={words}
            onChange={(isOn) =>
              onChange(
                options
                  .map((one) => one.value)
                  .filter((one) => (one === value ? isOn : chosen.includes(one))),
              )
            }
          />
        ))}
      </div>
      {was ? <div className="mt-1 text-small text-accent">{was}</div> : null}
      {error ? <div className="mt-1 text-small text-no">{error}</div> : null}
    </div>
  )
}

/** The payment paths that pass. */
export function PathFields({ rule, before, onChange, problem }: FieldsProps) {
  return (
    <Choices
      before={before?.lists['allow']}
      chosen={rule.lists['allow'] ?? []}
      error={problem('allow')}
      label="Allowed payment paths"
      onChange={(paths) => onChange(withList(rule, 'allow', paths))}
      options={PATHS.map((path) => ({ value: path, label: PATH_WORDS[path] }))}
    />
  )
}

const FIELDS: readonly { readonly value: DuplicateField; readonly label: string }[] = [
  { value: 'vendor', label: 'Vendor' },
  { value: 'amount', label: 'Amount' },
  { value: 'category', label: 'Category' },
  { value: 'reference', label: 'Reference' },
]

/** How long a spend is remembered, and the fields that make two spends the same. */
export function DuplicateFields(props: FieldsProps) {
  const { rule, before, onChange, problem } = props
  const match = rule.lists['match'] ?? []
  const old = before?.lists['match']
  return (
    <div className="flex flex-wrap items-start gap-2">
      <span className="pt-1.5 text-ink-2">again within</span>
      <DurationField label="Again within" {...textProps(props, 'window')} />
      <MoreSettings isUsed={match.length > 0} label="The same in">
        <div className="col-span-full">
          <Choices
            before={old && old.length > 0 ? old : before ? SAME_FIELDS : undefined}
            chosen={match.length > 0 ? match : SAME_FIELDS}
            error={problem('match')}
            label="Two spends are the same if these are equal"
            onChange={(fields) => onChange(withList(rule, 'match', fields))}
            options={FIELDS}
          />
        </div>
      </MoreSettings>
    </div>
  )
}
