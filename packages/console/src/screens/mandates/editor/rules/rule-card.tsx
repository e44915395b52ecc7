import type { MandateWarning } from '@purser/sdk'
import { TriangleAlert, X } from 'lucide-react'
import { useId } from 'react'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { limitName } from '../../../../words/windows.ts'
import { RULE_WORDS, ruleName } from '../../../../words/words.ts'
import type { Fix } from '../form/fixes.ts'
import { ruleMark } from '../form/marks.ts'
import { EffectSelect } from './effect-select.tsx'
import type { FieldsProps } from './fields-props.ts'
import { RuleFields } from './rule-fields.tsx'
import { RuleIcon } from './rule-icon.tsx'

interface RuleCardProps extends FieldsProps {
  readonly onRemove: () => void
  readonly warnings: readonly { readonly warning: MandateWarning; readonly fix: Fix | undefined }[]
  readonly onFix: (warning: MandateWarning, fix: Fix) => void
  /** Whether an active version exists that the rule can differ from. */
  readonly hasBase: boolean
}

const LOOK = {
  same: 'border-line',
  changed: 'border-accent-line shadow-[inset_3px_0_0_var(--accent)]',
  new: 'border-ok-line shadow-[inset_3px_0_0_var(--ok-fill)]',
}
const MARK_WORDS = { same: '', changed: 'Changed', new: 'New' }

/** One rule: its name, its settings, its effect when it fails, and the warnings about it. */
export function RuleCard(props: RuleCardProps) {
  const { rule, before, onChange, onRemove, warnings, onFix, hasBase } = props
  const id = useId()
  const mark = hasBase ? ruleMark(before, rule) : 'same'
  const name = rule.type === 'limit' ? limitName(rule.texts['window'] ?? null) : ruleName(rule.type)
  return (
    <li
      aria-labelledby={id}
      className={cx(
        'grid grid-cols-[1.125rem_minmax(0,1fr)_auto] items-start gap-x-3.5 gap-y-1.5 rounded-3 border bg-sheet px-3.5 py-3 tablet:grid-cols-[1.125rem_8.5rem_minmax(0,1fr)_auto]',
        LOOK[mark],
      )}
    >
      <span className="pt-1.75 text-ink-3">
        <RuleIcon type={rule.type} />
      </span>
      <div className="pt-1.5 max-phone:col-span-2">
        <h3 className="font-medium" id={id}>
          {name}
          <span className="sr-only"> {MARK_WORDS[mark]}</span>
        </h3>
        <div className="text-small text-ink-3">{aboutText(props)}</div>
      </div>
      <div className="col-span-2 col-start-2 row-start-2 min-w-0 tablet:col-span-1 tablet:col-start-3 tablet:row-start-1">
        <RuleFields {...props} />
        {before && before.effect !== rule.effect ? (
          <div className="mt-1 text-small text-accent">
            The effect was different in version {props.version}
          </div>
        ) : null}
        {warnings.map(({ warning, fix }) => (
          <Warning fix={fix} key={warning.code + warning.message} onFix={onFix} warning={warning} />
        ))}
      </div>
      <div className="flex items-center gap-1 pt-0.5 max-phone:col-span-2 max-phone:col-start-2 max-phone:row-start-3">
        <EffectSelect
          name={name}
          onChange={(effect) => onChange({ ...rule, effect })}
          rule={rule}
        />
        <IconButton
          icon={<X aria-hidden size={14} />}
          label={`Remove “${name}”`}
          onClick={onRemove}
          size="sm"
        />
      </div>
    </li>
  )
}

/** A few words below the name. */
function aboutText({ rule, timezone }: FieldsProps): string {
  if (rule.type === 'schedule') return rule.texts['timezone'] || timezone
  return RULE_WORDS[rule.type]?.about ?? ''
}

interface WarningProps {
  readonly warning: MandateWarning
  readonly fix: Fix | undefined
  readonly onFix: (warning: MandateWarning, fix: Fix) => void
}

function Warning({ warning, fix, onFix }: WarningProps) {
  return (
    <div className="mt-1.5 flex gap-1.5 text-small text-ask" role="status">
      <TriangleAlert aria-hidden className="mt-px flex-none" size={13} />
      <span className="min-w-0">
        {warning.message}{' '}
        {fix ? (
          <button
            className="text-accent underline decoration-1 underline-offset-2 hover:text-accent-hover"
            onClick={() => onFix(warning, fix)}
            type="button"
          >
            {fix.label}
          </button>
        ) : null}
      </span>
    </div>
  )
}
