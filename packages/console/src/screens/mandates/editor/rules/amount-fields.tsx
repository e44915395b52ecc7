import { MoneyField } from '../../../../ui/money-field.tsx'
import { ExpiresField } from './expires-field.tsx'
import { type FieldsProps, textProps } from './fields-props.ts'
import { MoreSettings } from './more-settings.tsx'

/** The largest and the smallest amount of a single spend. */
export function AmountFields(props: FieldsProps) {
  const { currency, rule } = props
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="w-42">
        <MoneyField currency={currency} hideLabel label="At most" {...textProps(props, 'max')} />
      </div>
      <MoreSettings isUsed={Boolean(rule.texts['min'])} label="Minimum">
        <MoneyField
          currency={currency}
          label="At least"
          note="optional"
          {...textProps(props, 'min')}
        />
      </MoreSettings>
    </div>
  )
}

/** From which amount a person must approve, and how long the request waits. */
export function ApprovalFields(props: FieldsProps) {
  const { currency } = props
  const expires = textProps(props, 'expiresIn')
  return (
    <div className="flex flex-wrap items-start gap-1.5">
      <span className="pt-1.5 text-ink-2">above</span>
      <div className="w-26">
        <MoneyField
          currency={currency}
          hideLabel
          label="Above"
          placeholder="any"
          {...textProps(props, 'above')}
        />
      </div>
      <span className="pt-1.5 text-ink-2">expires in</span>
      <ExpiresField {...expires} />
    </div>
  )
}
