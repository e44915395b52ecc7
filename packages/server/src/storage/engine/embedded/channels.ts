import { escapeIdentifier } from 'pg'
import type { Listener, Queryable } from '../queryable.ts'

interface Channels {
  names(): readonly string[]
  deliver(channel: string, payload: string): void
  reportGap(): void
  listen(db: Queryable, channel: string, listener: Listener): Promise<() => Promise<void>>
}

/** The listeners of each channel on the embedded engine, where all share one connection. */
export function createChannels(): Channels {
  const listeners = new Map<string, Set<Listener>>()

  const join = (channel: string, listener: Listener): void => {
    const members = listeners.get(channel) ?? new Set()
    listeners.set(channel, members.add(listener))
  }
  const leave = (channel: string, listener: Listener): boolean => {
    const members = listeners.get(channel)
    members?.delete(listener)
    if (members?.size !== 0) return false
    return listeners.delete(channel)
  }
  const listen: Channels['listen'] = async (db, channel, listener) => {
    join(channel, listener)
    try {
      await db.query({ text: `listen ${escapeIdentifier(channel)}` })
    } catch (error) {
      leave(channel, listener)
      throw error
    }
    return async () => {
      if (leave(channel, listener)) {
        await db.query({ text: `unlisten ${escapeIdentifier(channel)}` })
      }
    }
  }
  return {
    names: () => [...listeners.keys()],
    deliver: (channel, payload) => {
      for (const listener of [...(listeners.get(channel) ?? [])]) listener.onMessage(payload)
    },
    reportGap: () => {
      for (const listener of [...listeners.values()].flatMap((members) => [...members])) {
        listener.onGap()
      }
    },
    listen,
  }
}
