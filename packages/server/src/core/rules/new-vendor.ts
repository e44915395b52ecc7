import { defineRule } from '../rule.ts'

/** Fails for a vendor that the organization has never paid before: the first time is a person's call. */
export const newVendor = defineRule({
  type: 'new_vendor',
  title: 'NewVendorRule',
  summary: 'Stops the first spend with a vendor.',
  effects: ['reject', 'require_approval', 'flag'],
  settings: {},
  inspect: () => [],
})
