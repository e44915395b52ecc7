/** Notifies followers of an organization's events in this process that there are new ones. */
export interface FeedSignal {
  announce(organizationId: string): void
  /** Calls back at every announcement until the returned function is called. */
  follow(organizationId: string, onNews: () => void): () => void
  /** How many followers there are. */
  count(): number
}

export function createFeedSignal(): FeedSignal {
  const followers = new Map<string, Set<() => void>>()
  return {
    announce(organizationId) {
      for (const onNews of followers.get(organizationId) ?? []) onNews()
    },
    count() {
      let count = 0
      for (const group of followers.values()) count += group.size
      return count
    },
    follow(organizationId, onNews) {
      const group = followers.get(organizationId) ?? new Set()
      followers.set(organizationId, group.add(onNews))
      return () => {
        group.delete(onNews)
        if (group.size === 0) followers.delete(organizationId)
      }
    },
  }
}
