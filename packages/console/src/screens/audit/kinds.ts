/** The tabs of the list, each a value of `kind` in the address and in the API. */
export const KIND_TABS = [
  { value: 'all', label: 'Everything' },
  { value: 'change.*', label: 'Changes by people' },
  { value: 'transaction.approved,transaction.rejected', label: 'Decisions' },
] as const

export function isTab(kind: string | undefined): boolean {
  return KIND_TABS.some(({ value }) => value === (kind ?? 'all'))
}
