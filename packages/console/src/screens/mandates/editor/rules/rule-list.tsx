import type { Mandate, MandateWarning, PurserError } from '@purser/sdk'
import { useLimitUse } from '../../../../parts/words/use-limit-use.ts'
import { toast } from '../../../../ui/toast.tsx'
import { ruleName } from '../../../../words/words.ts'
import { type Fix, fixOf } from '../form/fixes.ts'
import { emptyRule, type RuleForm, type RuleType } from '../form/rule-form.ts'
import type { Editor } from '../use-editor.ts'
import { AddRule } from './add-rule.tsx'
import { RuleCard } from './rule-card.tsx'

interface RuleListProps {
  readonly editor: Editor
  /** The gateway's warnings about the rules. */
  readonly warnings: readonly MandateWarning[]
}

/** The rules, one card each. */
export function RuleList({ editor, warnings }: RuleListProps) {
  const { form, read, base, baseForm, setRule, setRules, restoreRule, save } = editor
  const used = useLimitUse(base)
  const place = {
    rules: form.rules,
    budgetTotal: read.shown.budgetTotal,
    currency: form.currency,
  }
  function add(type: RuleType) {
    setRules([...form.rules, emptyRule(type, form.rules)])
  }
  function remove(rule: RuleForm) {
    const { rules } = form
    const index = rules.indexOf(rule)
    setRules(rules.filter((one) => one !== rule))
    toast(`“${ruleName(rule.type)}” removed`, { undo: () => restoreRule(rule, index) })
  }
  function fix(warning: MandateWarning, { rules }: Fix) {
    setRules(rules)
    save.setWarnings(warnings.filter((one) => one !== warning))
  }
  return (
    <section aria-labelledby="rules-heading" className="mt-5.5">
      <div className="mb-2.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="text-read font-strong" id="rules-heading">
          Rules
        </h2>
        <span className="text-small text-ink-3">
          All must pass. Each says what happens when it does not.
        </span>
        <span className="ml-auto">
          <AddRule count={form.rules.length} onAdd={add} />
        </span>
      </div>
      <ul className="grid gap-2">
        {form.rules.map((rule, index) => (
          <RuleCard
            before={baseForm?.rules.find(({ id }) => id === rule.id)}
            currency={form.currency}
            hasBase={baseForm !== undefined}
            key={rule.id}
            onChange={setRule}
            onFix={fix}
            onRemove={() => remove(rule)}
            problem={(field) =>
              serverProblem(save.error, index, field) ??
              (editor.isAttempted || rule.texts[field]
                ? read.problems[`${rule.id}/${field}`]
                : undefined)
            }
            rule={rule}
            timezone={form.timezone}
            used={isSameWindow(rule, base) ? used.get(rule.id) : undefined}
            version={base?.version ?? 0}
            warnings={warningsOf(warnings, rule).map((warning) => ({
              warning,
              fix: fixOf(warning, place),
            }))}
          />
        ))}
      </ul>
      {form.rules.length === 0 ? (
        <p className="rounded-3 border border-dashed border-line-strong px-4 py-5 text-center text-ink-2">
          No rules yet. Only the budget limits the spending.
        </p>
      ) : null}
    </section>
  )
}

/** The figure is that of the active rule, so it is hidden while a different window is chosen. */
function isSameWindow({ id, texts }: RuleForm, base: Mandate | undefined): boolean {
  const active = base?.rules.find((one) => one.id === id)
  return active?.type === 'limit' && active.window === texts['window']
}

/** A warning stands under the first rule that it names. */
function warningsOf(
  warnings: readonly MandateWarning[],
  { id }: RuleForm,
): readonly MandateWarning[] {
  return warnings.filter(({ ruleIds }) => ruleIds[0] === id)
}

/** The form's names of fields that the gateway names otherwise. */
const POINTERS: Readonly<Record<string, string>> = {
  'match/vendor': 'matchVendor',
  'match/category': 'matchCategory',
  'match/path': 'matchPath',
}

/** The gateway's sentence for a field: `/rules/2/allow/0` belongs to `allow` of the third rule. */
function serverProblem(
  error: PurserError | null,
  index: number,
  field: string,
): string | undefined {
  const prefix = `/rules/${index}/`
  const found = error?.errors.find(({ path }) => {
    if (!path.startsWith(prefix)) return false
    const rest = path.slice(prefix.length)
    return (POINTERS[rest] ?? rest.split('/')[0]) === field
  })
  return found?.message
}
