import { TIMEZONES } from '../../../parts/choices.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { levelsText } from '../../../words/term-words.ts'
import { instantOf, localOf } from './form/local-time.ts'
import type { Editor } from './use-editor.ts'

/** The terms that few people change: name, start, time zone, currency, warnings and tokens. */
export function TermFields({ editor }: { readonly editor: Editor }) {
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
