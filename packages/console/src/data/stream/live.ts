import { followEvents } from './connection.ts'
import type { Broadcast, LiveEvent, LiveState } from './events.ts'

/** Tabs with an older version of the page do not understand these messages, and lead for themselves. */
const NAME = 'purser.events.2'
/** A hidden tab gives up its connection after this time, so that a visible one can lead. */
const HIDDEN_MS = 60_000

type Listener<T> = (value: T) => void

/** The live updates of this browser. One tab holds the connection and tells the others. */
export interface Live {
  readonly state: () => LiveState
  readonly onState: (listener: Listener<LiveState>) => () => void
  readonly onEvent: (listener: Listener<LiveEvent>) => () => void
  readonly onGap: (listener: () => void) => () => void
  readonly stop: () => void
}

export function startLive(): Live {
  const states = new Set<Listener<LiveState>>()
  const events = new Set<Listener<LiveEvent>>()
  const gaps = new Set<Listener<undefined>>()
  let state: LiveState = { kind: 'connecting' }
  let isLeading = false
  let wasLive = false

  const receive = (message: Broadcast): void => {
    switch (message.type) {
      case 'events':
        for (const event of message.events) callAll(events, event)
        break
      case 'gap':
        callAll(gaps, undefined)
        break
      case 'state':
        state = message.state
        wasLive ||= state.kind === 'live'
        callAll(states, state)
        break
      case 'hello':
        if (isLeading) channel.postMessage({ type: 'state', state } satisfies Broadcast)
    }
  }
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<Broadcast>) => receive(data)
  const tell = (message: Broadcast) => {
    channel.postMessage(message)
    receive(message)
  }
  channel.postMessage({ type: 'hello' } satisfies Broadcast)

  const stopLeading = leadWhileVisible((signal) => {
    isLeading = true
    signal.addEventListener('abort', () => {
      isLeading = false
    })
    followEvents(tell, signal, wasLive)
  })

  return {
    state: () => state,
    onState: (listener) => add(states, listener),
    onEvent: (listener) => add(events, listener),
    onGap: (listener) => add(gaps, listener),
    stop() {
      stopLeading()
      channel.close()
    },
  }
}

/**
 * Competes for the lead while the tab is visible, and for a minute after. The browser passes the
 * lock on when its tab closes or crashes.
 */
function leadWhileVisible(lead: (signal: AbortSignal) => void): () => void {
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function compete(): void {
    const ending = new AbortController()
    current = ending
    const { signal } = ending
    const held = () =>
      new Promise<void>((resolve) => {
        // The lock can arrive after the tab gave up. Without this line, it would never be released.
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', () => resolve())
        lead(signal)
      })
    navigator.locks.request(NAME, { signal }, held).catch(() => {
      // Aborted before this tab got the lock.
    })
  }
  function onVisibility(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') {
      if (!current || current.signal.aborted) compete()
    } else timer = setTimeout(() => current?.abort(), HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(timer)
    current?.abort()
  }
}

function add<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function callAll<T>(listeners: ReadonlySet<Listener<T>>, value: T): void {
  for (const listener of listeners) listener(value)
}
