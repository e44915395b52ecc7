import type { BudgetPeriod, Mandate, MandateChange, RuleInput } from '@purser/sdk'
import { moneyProblem, moneyValue } from '../../../../ui/money-text.ts'
import type { MandateTemplate } from '../../../../words/templates.ts'
import { countTermChanges } from '../../../../words/term-changes.ts'
import type { Terms } from '../../../../words/term-words.ts'
import { LEVELS_PROBLEM, levelsField, readLevels } from './levels.ts'
import { readRule } from './read-rule.ts'
import { amountText, formOfRule, type RuleForm } from './rule-form.ts'

/** A mandate while a person edits it. */
export interface MandateForm {
  readonly agentId: string
  readonly name: string
  readonly currency: string
  readonly timezone: string
  readonly budgetTotal: string
  readonly budgetPeriod: BudgetPeriod
  readonly validFrom: string | null
  readonly validUntil: string | null
  /** As a person types it: `50, 80`. */
  readonly warningPercents: string
  readonly discloseLimits: boolean
  readonly rules: readonly RuleForm[]
}

/** The fields that a version of an active mandate can change. */
export type NextInput = Required<
  Pick<
    MandateChange,
    'name' | 'rules' | 'validUntil' | 'budgetTotal' | 'warningPercents' | 'discloseLimits'
  >
>

export interface ReadForm {
  /** The terms as far as they can be read, for the words. Never to be sent. */
  readonly shown: Terms
  /** A sentence by field: `name`, `budgetTotal`, or the id of a rule and its field, `limit/window`. */
  readonly problems: Readonly<Record<string, string>>
  /** The terms to send. Null while a field is wrong: nothing is saved or tested then. */
  readonly input: (NextInput & Terms) | null
}

export function formOfMandate(mandate: Mandate): MandateForm {
  const { agentId, name, currency, timezone, budgetPeriod } = mandate
  return {
    ...{ agentId, name, currency, timezone, budgetPeriod },
    budgetTotal: amountText(mandate.budgetTotal),
    validFrom: mandate.validFrom,
    validUntil: mandate.validUntil,
    warningPercents: levelsField(mandate.warningPercents),
    discloseLimits: mandate.discloseLimits,
    rules: mandate.rules.map(formOfRule),
  }
}

/** The terms of a template in place of those of the form. The agent and the name stay. */
export function withTemplate(form: MandateForm, template: MandateTemplate): MandateForm {
  return {
    ...form,
    budgetTotal: amountText(template.budgetTotal),
    budgetPeriod: template.budgetPeriod,
    rules: template.rules.map(formOfRule),
  }
}

export function readForm(form: MandateForm): ReadForm {
  const { rules, problems } = readRules(form.rules)
  const { name, discloseLimits, currency, timezone, budgetPeriod, validFrom, validUntil } = form
  const budget = moneyValue(form.budgetTotal)
  if (budget === null || Number(budget) === 0) {
    problems['budgetTotal'] = moneyProblem(form.budgetTotal) ?? 'Enter an amount above 0.'
  }
  const warningPercents = readLevels(form.warningPercents)
  if (warningPercents === null) problems['warningPercents'] = LEVELS_PROBLEM
  if (name.trim() === '') problems['name'] = 'Enter a name.'
  const shown: Terms = {
    ...{ currency, timezone, budgetPeriod, validFrom, validUntil, discloseLimits, rules },
    budgetTotal: Number(budget ?? 0),
    warningPercents: warningPercents ?? [],
  }
  const isRight = Object.keys(problems).length === 0
  return {
    shown,
    problems,
    input:
      isRight && warningPercents !== null
        ? { ...shown, name: name.trim(), warningPercents, discloseLimits }
        : null,
  }
}

function readRules(forms: readonly RuleForm[]) {
  const rules: RuleInput[] = []
  const problems: Record<string, string> = {}
  for (const one of forms) {
    const read = readRule(one)
    if (read.rule) rules.push(read.rule)
    for (const [field, text] of Object.entries(read.problems ?? {})) {
      problems[`${one.id}/${field}`] = text
    }
  }
  return { rules, problems }
}

/** The fields of a next version, in the order in which they are sent. */
export function nextInput(input: NextInput): NextInput {
  const { name, rules, validUntil, budgetTotal, warningPercents, discloseLimits } = input
  return { name, rules, validUntil, budgetTotal, warningPercents, discloseLimits }
}

/** How many terms of a mandate the form changes. */
export function changeCount(base: Mandate, { shown }: ReadForm, form: MandateForm): number {
  return countTermChanges(base, shown) + (base.name === form.name.trim() ? 0 : 1)
}
