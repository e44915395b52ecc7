import { TIMEZONES } from '../../../parts/choices.ts'
import { useNow } from '../../../parts/when.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { dateText, levelsText, RENEWS_WORDS } from '../../../words/mandate-words.ts'
import { formatAmount } from '../../../words/money.ts'
import { formatDay } from '../../../words/time.ts'
import { fromLocalText, toLocalText } from '../../../words/zoned-time.ts'
import { budgetBelowSpent } from './budget-limits.ts'
import { wasValue } from './form/marks.ts'
import { MoreSettings } from './rules/more-settings.tsx'
import type { Editor } from './use-editor.ts'

const PERIODS = (['monthly', 'weekly', 'daily', 'yearly', 'none'] as const).map((value) => ({
  value,
  label: RENEWS_WORDS[value],
}))

/** The amount, how often it renews, and until when the mandate holds. */
export function BudgetFields({ editor }: { readonly editor: Editor }) {
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
          <Terms editor={editor} />
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

function Terms({ editor }: { readonly editor: Editor }) {
  const { form, set, base, read, save } = editor
  const isFixed = base !== undefined
  const before = base && levelsText(base.warningPercents)
  return (
    <>
      <TextField
        error={fieldError(save.error, '/name') ?? read.problems['name']}
        label="Name"
        maxLength={120}
        onChange={(name) => set({ name })}
        value={form.name}
        was={base && base.name !== form.name ? `was ${base.name}` : undefined}
      />
      <TextField
        readOnly={isFixed}
        error={fieldError(save.error, '/validFrom')}
        help={isFixed ? 'Fixed while the mandate is active' : 'Empty: as soon as it is active'}
        label="Starts"
        onChange={(text) => set({ validFrom: instantOf(text, form.timezone) })}
        type="datetime-local"
        value={localOf(form.validFrom, form.timezone)}
      />
      <Zone editor={editor} />
      <TextField
        readOnly={isFixed}
        error={fieldError(save.error, '/currency')}
        help={isFixed ? 'Fixed while the mandate is active' : 'Spends must have this currency'}
        label="Currency"
        maxLength={4}
        onChange={(currency) => set({ currency: currency.toUpperCase() })}
        value={form.currency}
      />
      <TextField
        error={fieldError(save.error, '/warningPercents') ?? read.problems['warningPercents']}
        help="In percent of the budget, such as 50, 80, 95. At 100 the webhook gets an event in any case."
        label="Warn at"
        onChange={(warningPercents) => set({ warningPercents })}
        value={form.warningPercents}
        was={
          before && before !== levelsText(read.shown.warningPercents) ? `was ${before}` : undefined
        }
      />
      <div className="col-span-full">
        <Checkbox
          checked={form.discloseLimits}
          help="Recipients of a mandate token see the largest amount of a single spend."
          label="Show the per-spend limit in mandate tokens"
          onChange={(discloseLimits) => set({ discloseLimits })}
        />
      </div>
    </>
  )
}

/** A zone is chosen, not typed: a half-typed one would be none, and no date could be shown in it. */
function Zone({ editor: { form, set, base, save } }: { readonly editor: Editor }) {
  if (base !== undefined) {
    return (
      <TextField
        help="Fixed while the mandate is active"
        label="Time zone"
        onChange={() => {}}
        readOnly
        value={form.timezone}
      />
    )
  }
  const zone = form.timezone
  // A key may have set an older name of a zone.
  const isListed = TIMEZONES.some(({ value }) => value === zone)
  return (
    <Combobox
      error={fieldError(save.error, '/timezone')}
      help="Days and budget periods follow it"
      label="Time zone"
      onChange={(timezone) => {
        if (timezone !== '') set({ timezone })
      }}
      options={isListed ? TIMEZONES : [{ value: zone, label: zone }, ...TIMEZONES]}
      value={zone}
    />
  )
}

function instantOf(text: string, timezone: string): string | null {
  return fromLocalText(text, timezone)?.toISOString() ?? null
}

function localOf(at: string | null, timezone: string): string {
  return at === null ? '' : toLocalText(new Date(at), timezone)
}
