/**
 * The fields of each type of rule, besides `type`, `id` and `effect`. A test compares this list with
 * openapi.json. It finds a misspelt field without a gateway.
 */
export const RULE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  paths: ['allow'],
  vendors: ['allow', 'block'],
  categories: ['allow', 'block'],
  amount: ['min', 'max'],
  schedule: ['windows', 'timezone'],
  limit: ['maxCount', 'maxAmount', 'window', 'groupBy', 'match'],
  duplicate: ['window', 'match'],
  new_vendor: [],
  price_drift: ['maxIncreasePercent'],
  expression: ['expr'],
  approval: ['above', 'expiresIn'],
}

export const RULE_TYPES: readonly string[] = Object.keys(RULE_FIELDS)

export const COMMON_RULE_FIELDS: readonly string[] = ['type', 'id', 'effect']
