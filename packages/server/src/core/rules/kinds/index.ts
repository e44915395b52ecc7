import { amount } from './amount.ts'
import { approval } from './approval.ts'
import { categories } from './categories.ts'
import { duplicate } from './duplicate.ts'
import { expression } from './expression.ts'
import { limit } from './limit.ts'
import { newVendor } from './new-vendor.ts'
import { paths } from './paths.ts'
import { priceDrift } from './price-drift.ts'
import { schedule } from './schedule.ts'
import { vendors } from './vendors.ts'

/** The kinds of rules, in the order in which findings are reported. The order is part of the API. */
export const RULES = [
  paths,
  vendors,
  categories,
  amount,
  schedule,
  limit,
  duplicate,
  newVendor,
  priceDrift,
  expression,
  approval,
] as const
