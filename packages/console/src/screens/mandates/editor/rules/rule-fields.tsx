import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { AmountFields, ApprovalFields } from './amount-fields.tsx'
import { type FieldsProps, textProps } from './fields-props.ts'
import { LimitFields } from './limit-fields.tsx'
import { DuplicateFields, ListFields, PathFields } from './list-fields.tsx'

const ScheduleFields = lazy(() =>
  import('./schedule-fields.tsx').then((it) => ({ default: it.ScheduleFields })),
)

/** The settings of a rule, by its type. */
export function RuleFields(props: FieldsProps) {
  switch (props.rule.type) {
    case 'amount':
      return <AmountFields {...props} />
    case 'approval':
      return <ApprovalFields {...props} />
    case 'limit':
      return <LimitFields {...props} />
    case 'vendors':
    case 'categories':
      return <ListFields {...props} />
    case 'paths':
      return <PathFields {...props} />
    case 'duplicate':
      return <DuplicateFields {...props} />
    case 'schedule':
      return (
        <Suspense fallback={<Skeleton rows={3} />}>
          <ScheduleFields {...props} />
        </Suspense>
      )
    case 'price_drift':
      return <PriceFields {...props} />
    case 'expression':
      return <ExpressionFields {...props} />
    case 'new_vendor':
      return (
        <p className="pt-1.5 text-ink-2">
          A vendor is known once a spend there is settled, or a person approved it.
        </p>
      )
  }
}

function PriceFields(props: FieldsProps) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <span className="pt-1.5 text-ink-2">at most</span>
      <div className="w-24">
        <TextField
          end="%"
          hideLabel
          inputMode="decimal"
          label="Increase of at most, percent"
          {...textProps(props, 'maxIncreasePercent')}
        />
      </div>
      <span className="pt-1.5 text-ink-2">above the last price at the vendor</span>
    </div>
  )
}

function ExpressionFields(props: FieldsProps) {
  return (
    <TextArea
      aria-describedby={undefined}
      autoCapitalize="none"
      help={
        <>
          True lets the spend pass. Write amounts as <code>money('20')</code>. Variables:{' '}
          <code>amount, vendor, category, path, spent.day, count.day, local.hour</code>
        </>
      }
      hideLabel
      label="Expression (CEL)"
      mono
      placeholder="!(category == 'search' && amount > money('20'))"
      rows={2}
      spellCheck={false}
      {...textProps(props, 'expr')}
    />
  )
}
