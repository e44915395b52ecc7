/** The nodes of a distributed store, each with its organizations. */
export interface OrganizationNodes {
  /** Whether the node of the organization is away, or has been silent for a while. */
  isHeldUp(organizationId: string): boolean
  /** The node of the organization. Undefined if it is unknown, or holds all organizations. */
  of(organizationId: string): object | undefined
}
