import { keepScroll } from './scroll.ts'

interface Entry {
  readonly key: string
  readonly index: number
}

/**
 * The entries of the browser's history, each with a key for its scroll positions. `onMove` is called
 * for Back and Forward, unless the page holds the person.
 */
export function followEntries(isBlocked: () => boolean, onMove: () => void) {
  const scroll = keepScroll()
  let entry = entryOf(history.state) ?? newEntry(0)
  let isUndoing = false
  history.replaceState(entry, '')
  addEventListener('popstate', ({ state }) => {
    if (isUndoing) {
      isUndoing = false
      return
    }
    // The address of a part of the page, behind `#`, is an entry of the browser.
    const next = entryOf(state) ?? newEntry(entry.index + 1)
    if (isBlocked()) {
      isUndoing = true
      history.go(entry.index - next.index)
      return
    }
    scroll.leave(entry.key)
    entry = next
    history.replaceState(entry, '')
    onMove()
  })
  return {
    go(href: string, isReplaced: boolean): void {
      if (isReplaced) {
        scroll.forget(entry.key)
        history.replaceState(entry, '', href)
      } else {
        scroll.leave(entry.key)
        entry = newEntry(entry.index + 1)
        history.pushState(entry, '', href)
      }
    },
    /** Returns a function that scrolls a new screen of this entry, once it is in the page. */
    scrollLater(): () => void {
      const { key } = entry
      return () => scroll.show(key)
    },
  }
}

function newEntry(index: number): Entry {
  return { key: crypto.randomUUID(), index }
}

function entryOf(state: unknown): Entry | undefined {
  return (state as Entry | null)?.key === undefined ? undefined : (state as Entry)
}
