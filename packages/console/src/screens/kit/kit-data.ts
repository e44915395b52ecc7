import type { BarDay } from '../../charts/bars.tsx'
import { binsOf } from '../../charts/distribution.tsx'
import type { HeatDay } from '../../charts/heat-strip.tsx'

const SPENT = [96, 142, 168, 131, 188, 24, 18]
const HELD = [0, 20, 0, 40, 30, 0, 0]
const REJECTED = [0, 12, 0, 40, 90, 0, 6]
const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export const WEEK: BarDay[] = SPENT.map((spent, index) => day(index, spent, NAMES[index] ?? ''))

export const MONTH: BarDay[] = Array.from({ length: 30 }, (_, index) => {
  const date = new Date(Date.UTC(2026, 9, 19 + index))
  const tick = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const weekend = index % 7 > 4 ? 0.2 : 1
  return day(index, Math.round((150 + 120 * Math.sin(index / 2)) * weekend) + 30, tick)
})

function day(index: number, spent: number, tick: string): BarDay {
  const held = HELD[index % 7] ?? 0
  const rejected = REJECTED[index % 7] ?? 0
  const label = `${NAMES[index % 7]} ${9 + index} November`
  return {
    key: String(index).padStart(2, '0'),
    label,
    tick,
    spent,
    held,
    rejected,
    spentText: spent.toFixed(2),
    heldText: held.toFixed(2),
    rejectedText: rejected === 0 ? '0' : `${rejected.toFixed(2)} in 4`,
    sentence: `${label}: ${spent}.00 USD spent, ${held}.00 held, 4 rejected for ${rejected}.00`,
    href: `#day-${index}`,
    hint: 'Enter: see the spends',
  }
}

export const NO_DAYS: BarDay[] = WEEK.map((one) => ({ ...one, spent: 0, held: 0, rejected: 0 }))

const AMOUNTS = Array.from({ length: 360 }, (_, index) => (((index * 37) % 360) / 360) ** 2.2 * 375)
export const BINS = binsOf(AMOUNTS, 375)

export const HEAT: HeatDay[] = Array.from({ length: 20 }, (_, index) => ({
  key: String(index).padStart(2, '0'),
  label: `${NAMES[index % 7]} ${1 + index} November`,
  spends: index === 13 ? 0 : ([14, 16, 13, 11, 12, 4, 3, 15, 17, 20][index % 10] ?? 0),
  refused: [0, 1, 0, 2, 0, 0, 0, 1, 0, 3][index % 10] ?? 0,
  href: `#heat-${index}`,
}))
