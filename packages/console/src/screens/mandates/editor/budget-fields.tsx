import type { ReactNode } from 'react'
import { useNow } from '../../../parts/when.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { formatAmount } from '../../../words/money.ts'
import { dateText, RENEWS_WORDS } from '../../../words/term-words.ts'
import { formatDay } from '../../../words/time.ts'
import { budgetBelowSpent } from './budget-limits.ts'
import { instantOf, localOf } from './form/local-time.ts'
import { wasValue } from './form/marks.ts'
import { MoreSettings } from './rules/more-settings.tsx'
import type { Editor } from './use-editor.ts'

const PERIODS = (['monthly', 'weekly', 'daily', 'yearly', 'none'] as const).map((value) => ({
  value,
  label: RENEWS_WORDS[value],
}))

interface BudgetFieldsProps {
  readonly editor: Editor
  /** The fields that few people change. */
  readonly terms: ReactNode
}

/** The amount, how often it renews, and until when the mandate holds. */
export function BudgetFields({ editor, terms }: BudgetFieldsProps) {
  const { form, set, base, baseForm, read, save } = editor
  const isFixed = base !== undefined
  const isShown = editor.isAttempted || form.budgetTotal !== ''
  const problem =
    fieldError(save.error, '/budgetTotal') ?? (isShown ? read.problems['budgetTotal'] : undefined)
  const tooLow = budgetBelowSpent(editor)
  return (
    <section aria-labelledby="budget-heading">
      <h2 className="mb-2.5 text-read font-strong" id="budget-heading">
        Budget
      </h2>
      <div className="grid gap-3 tablet:grid-cols-3">
        <MoneyField
          currency={form.currency}
          error={problem ?? tooLow}
          help={usedText(editor)}
          label="Amount"
          onChange={(budgetTotal) => set({ budgetTotal })}
          value={form.budgetTotal}
          was={
            base && baseForm
              ? wasValue(baseForm.budgetTotal, form.budgetTotal, base.version)
              : undefined
          }
        />
        {isFixed ? (
          <TextField
            help={<Renewal editor={editor} />}
            label="Renews"
            onChange={() => {}}
            readOnly
            value={RENEWS_WORDS[form.budgetPeriod]}
          />
        ) : (
          <NativeSelect
            help={`By the calendar of ${form.timezone}`}
            label="Renews"
            onChange={(budgetPeriod) => set({ budgetPeriod })}
            options={PERIODS}
            value={form.budgetPeriod}
          />
        )}
        <Until editor={editor} />
      </div>
      <div className="mt-1.5 flex flex-wrap">
        <MoreSettings
          isUsed={!isFixed && form.validFrom !== null}
          label="Name, start, zone and tokens"
        >
          {terms}
        </MoreSettings>
      </div>
    </section>
  )
}

function usedText({ base }: Editor): string | undefined {
  if (!base) return undefined
  const when = base.budgetPeriod === 'none' ? 'so far' : 'in this period'
  return `${formatAmount(base.budgetSpent, base.currency)} is spent or held ${when}`
}

function Renewal({ editor: { base } }: { readonly editor: Editor }) {
  const now = useNow()
  if (!base?.periodEnd) return 'Fixed while the mandate is active'
  const day = formatDay(new Date(base.periodEnd), base.timezone, new Date(now))
  return `Next on ${day}, ${base.timezone}`
}

function Until({ editor }: { readonly editor: Editor }) {
  const { form, set, base, save } = editor
  const isChanged = base !== undefined && base.validUntil !== form.validUntil
  const old = base?.validUntil ? dateText(base.validUntil, base.timezone) : 'not set'
  return (
    <TextField
      error={fieldError(save.error, '/validUntil')}
      help={form.validUntil === null ? 'Empty: it never expires' : 'Then its spends are rejected'}
      label="Expires"
      onChange={(text) => set({ validUntil: instantOf(text, form.timezone) })}
      type="datetime-local"
      value={localOf(form.validUntil, form.timezone)}
      was={isChanged ? `was ${old} in version ${base.version}` : undefined}
    />
  )
}
