import { useSyncExternalStore } from 'react'
import { filtersOf, type TransactionSearch } from './filters/filters.ts'

/** A name for a set of filters. This browser keeps it. */
export interface SavedView {
  readonly name: string
  readonly search: TransactionSearch
}

const KEY = 'purser.views.transactions'
const MOST = 12
const NAME_MAX = 40

const listeners = new Set<() => void>()
let cached: { readonly text: string | null; readonly views: readonly SavedView[] } | undefined

/** The saved views of this browser, also after a different tab changed them. */
export function useViews(): readonly SavedView[] {
  return useSyncExternalStore(watch, readViews)
}

/** Saves the filters under a name. A view with the same name is replaced. */
export function saveView(name: string, search: TransactionSearch): void {
  const view = { name: name.trim().slice(0, NAME_MAX), search: filtersOf(search) }
  const others = readViews().filter((one) => one.name !== view.name)
  write([...others, view].slice(-MOST))
}

export function removeView(name: string): void {
  write(readViews().filter((one) => one.name !== name))
}

/** The view that the address names, if its filters are still those that were saved. */
export function shownView(
  views: readonly SavedView[],
  search: TransactionSearch,
): SavedView | undefined {
  const view = views.find(({ name }) => name === search['view'])
  return view && isSame(view.search, filtersOf(search)) ? view : undefined
}

function isSame(a: TransactionSearch, b: TransactionSearch): boolean {
  const text = (search: TransactionSearch) => JSON.stringify(Object.entries(search).toSorted())
  return text(a) === text(b)
}

/** Reads the stored text. It ignores text that is no list of views. */
export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.flatMap(toView) : []
  } catch {
    return []
  }
}

function toView(one: unknown): readonly SavedView[] {
  const { name, search } = Object(one) as Record<string, unknown>
  if (typeof name !== 'string' || name === '') return []
  return [{ name, search: filtersOf(Object(search)) }]
}

function readViews(): readonly SavedView[] {
  const text = localStorage.getItem(KEY)
  if (cached?.text !== text) cached = { text, views: parseViews(text) }
  return cached?.views ?? []
}

function write(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views))
  for (const listener of listeners) listener()
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
