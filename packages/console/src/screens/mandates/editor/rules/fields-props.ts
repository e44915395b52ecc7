import { wasText } from '../form/marks.ts'
import type { RuleForm, WindowForm } from '../form/rule-form.ts'

/** The properties that the fields of every rule get. */
export interface FieldsProps {
  readonly rule: RuleForm
  /** The rule in the active version. */
  readonly before: RuleForm | undefined
  /** The number of the active version. */
  readonly version: number
  readonly currency: string
  readonly timezone: string
  /** How much of a limit is used: "46.00 used today". */
  readonly used?: string | undefined
  readonly onChange: (rule: RuleForm) => void
  /** The sentence for a field that is wrong. */
  readonly problem: (field: string) => string | undefined
}

/** The value, the change handler, the error and the former value of a text of a rule. */
export function textProps(props: FieldsProps, field: string) {
  const { rule, before, version, onChange, problem } = props
  return {
    value: rule.texts[field] ?? '',
    onChange: (value: string) => onChange({ ...rule, texts: { ...rule.texts, [field]: value } }),
    error: problem(field),
    was: wasText(before, rule, field, version),
  }
}

export function withList(rule: RuleForm, field: string, entries: readonly string[]): RuleForm {
  return { ...rule, lists: { ...rule.lists, [field]: entries } }
}

export function withWindows(rule: RuleForm, windows: readonly WindowForm[]): RuleForm {
  return { ...rule, windows }
}
