import { useSyncExternalStore } from 'react'

const CHOICE = 'purser.notify'

/** `off`: the person can switch notifications on. `denied`: only the browser's settings can. */
export type NotifyState = 'on' | 'off' | 'denied' | 'missing'

const listeners = new Set<() => void>()

/** Whether this browser shows notifications. Both the person and the browser must allow them. */
export function notifyState(): NotifyState {
  if (!('Notification' in window)) return 'missing'
  if (Notification.permission === 'denied') return 'denied'
  const isChosen = localStorage.getItem(CHOICE) === 'on'
  return isChosen && Notification.permission === 'granted' ? 'on' : 'off'
}

export function useNotifyState(): NotifyState {
  return useSyncExternalStore(watch, notifyState)
}

/** Switches notifications on or off. The browser asks only after this press of a person. */
export async function switchNotify(isOn: boolean): Promise<void> {
  if (isOn) {
    const permission = await Notification.requestPermission()
    if (permission === 'granted') localStorage.setItem(CHOICE, 'on')
  } else localStorage.removeItem(CHOICE)
  for (const listener of listeners) listener()
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
