import { MoneyField } from '../../../../ui/money-field.tsx'
import { NativeSelect } from '../../../../ui/native-select.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { PATH_WORDS } from '../../../../words/words.ts'
import { PATHS } from '../form/rule-form.ts'
import { DurationField } from './duration-field.tsx'
import { type FieldsProps, textProps } from './fields-props.ts'
import { MoreSettings } from './more-settings.tsx'

const WINDOWS = [
  { value: 'hour', label: 'an hour', hint: 'from each full hour' },
  { value: 'day', label: 'a day', hint: 'from midnight' },
  { value: 'week', label: 'a week', hint: 'from Monday' },
  { value: 'month', label: 'a month', hint: 'from the first' },
  { value: 'period', label: 'a budget period', hint: 'as the budget renews' },
  { value: 'rolling', label: 'within …', hint: 'the last minutes, hours or days' },
] as const

const CALENDAR: ReadonlySet<string> = new Set(['hour', 'day', 'week', 'month', 'period'])

/** The sum or the number of spends in a window. */
export function LimitFields(props: FieldsProps) {
  const { currency, rule } = props
  const { texts } = rule
  const window = textProps(props, 'window')
  const isRolling = !CALENDAR.has(window.value)
  const isUsed = ['maxCount', 'groupBy', 'matchVendor', 'matchCategory', 'matchPath'].some(
    (field) => texts[field],
  )
  return (
    <div className="flex flex-wrap items-start gap-1.5">
      <div className="w-32">
        <MoneyField
          currency={currency}
          hideLabel
          label="Total of at most"
          {...textProps(props, 'maxAmount')}
        />
      </div>
      <div className="w-30">
        <NativeSelect
          aria-label="Window"
          onChange={(next) => window.onChange(next === 'rolling' ? '7d' : next)}
          options={WINDOWS}
          value={isRolling ? 'rolling' : (window.value as (typeof WINDOWS)[number]['value'])}
        />
        {window.was && !isRolling ? (
          <div className="mt-1 text-small text-accent">{window.was}</div>
        ) : null}
      </div>
      {isRolling ? <DurationField label="Within the last" {...window} /> : null}
      {props.used ? <span className="pt-1.5 text-small text-ink-3">{props.used}</span> : null}
      <MoreSettings isUsed={isUsed}>
        <NumberField
          label="Spends, at most"
          min={1}
          note="optional"
          {...textProps(props, 'maxCount')}
        />
        <Grouping {...props} />
        <TextField
          label="Only at vendor"
          note="optional"
          placeholder="*.example.com"
          {...textProps(props, 'matchVendor')}
        />
        <TextField
          label="Only in category"
          note="optional"
          placeholder="search"
          {...textProps(props, 'matchCategory')}
        />
        <OnlyPath {...props} />
      </MoreSettings>
    </div>
  )
}

function Grouping(props: FieldsProps) {
  const { value, onChange, was } = textProps(props, 'groupBy')
  return (
    <NativeSelect
      label="Counts"
      onChange={(next) => onChange(next === 'all' ? '' : next)}
      options={[
        { value: 'all', label: 'all spends together' },
        { value: 'vendor', label: 'each vendor separately' },
        { value: 'category', label: 'each category separately' },
      ]}
      value={value === '' ? 'all' : (value as 'vendor' | 'category')}
      was={was}
    />
  )
}

function OnlyPath(props: FieldsProps) {
  const { value, onChange, was } = textProps(props, 'matchPath')
  return (
    <NativeSelect
      label="Only by payment path"
      onChange={(next) => onChange(next === 'all' ? '' : next)}
      options={[
        { value: 'all', label: 'any path' },
        ...PATHS.map((path) => ({ value: path as string, label: PATH_WORDS[path] })),
      ]}
      value={value === '' ? 'all' : value}
      was={was}
    />
  )
}
