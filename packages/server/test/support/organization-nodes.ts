import type { OrganizationNodes } from '../../src/storage/distributed/organization-nodes.ts'

/** Nodes that hold these organizations, one text of names for each node. None of them is late. */
export function someNodes(...names: readonly string[]): OrganizationNodes {
  const nodes = names.map((organizations) => ({ organizations }))
  return {
    isHeldUp: () => false,
    of: (organizationId) =>
      nodes.find(({ organizations }) => organizations.includes(organizationId)),
  }
}
