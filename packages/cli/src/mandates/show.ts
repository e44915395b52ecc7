import type { Mandate, Rule } from '@purser/sdk'
import { colorOf } from '../output/color.ts'
import { toAmountText, toMoneyText } from '../output/money.ts'
import { type Fact, toPage } from '../output/page.ts'
import { type Column, SHORT } from '../output/table.ts'

/** The columns of a list of mandates. */
export const mandateColumns: readonly Column<Mandate>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'STATUS', text: ({ status }) => status, color: ({ status }) => colorOf(status) },
  { title: 'VERSION', text: versionOf, spare: 1 },
  { title: 'AGENT', text: ({ agentName, agentId }) => agentName ?? agentId, shrinksTo: SHORT },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: SHORT, spare: 2 },
  { title: 'BUDGET', text: budgetOf, align: 'right' },
  { title: 'USED', text: ({ percentUsed }) => `${percentUsed} %`, align: 'right' },
]

function versionOf({ version, draftOf, draftOfVersion }: Mandate): string {
  return draftOf === null ? String(version) : `next after ${draftOfVersion}`
}

function budgetOf({ budgetTotal, currency, budgetPeriod }: Mandate): string {
  const period = budgetPeriod === 'none' ? '' : ` ${budgetPeriod}`
  return `${toMoneyText(budgetTotal, currency)}${period}`
}

/** Formats a mandate with all its terms. */
export function toMandatePage(mandate: Mandate): string[] {
  const { budgetSpent, budgetHeld, remainingBudget, percentUsed, currency } = mandate
  return toPage([
    ['id', mandate.id],
    ['agent', `${mandate.agentName ?? ''} ${mandate.agentId}`.trim()],
    ['name', mandate.name],
    ['status', mandate.status],
    ['version', mandate.version],
    ['next version of', mandate.draftOf],
    ['parent', mandate.parentMandateId],
    ['budget', budgetOf(mandate)],
    [
      'used',
      `${toMoneyText(budgetSpent, currency)} (${percentUsed} %), of which ${toAmountText(budgetHeld, currency)} on hold`,
    ],
    ['remaining', toMoneyText(remainingBudget, currency)],
    ['resets at', mandate.periodEnd],
    ['valid from', mandate.validFrom],
    ['valid until', mandate.validUntil],
    ['time zone', mandate.timezone],
    ...mandate.rules.map((rule): Fact => [`rule ${rule.id}`, toRuleText(rule)]),
    [
      'updated',
      `${mandate.updatedAt} by ${mandate.updatedByName ?? mandate.updatedBy ?? 'unknown'}`,
    ],
    ...(mandate.warnings ?? []).map(({ message }): Fact => ['warning', message]),
  ])
}

function toRuleText({ id: _, type, effect, ...settings }: Rule): string {
  const words = Object.entries(settings).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const terms = words.length === 0 ? type : `${type}: ${words.join(', ')}`
  return `${terms} (${effect})`
}
