/** The scrolled parts of a page, each by its way from the root: it is the same when drawn again. */
type Positions = Readonly<Record<string, number>>

/** Keeps how far each part of a page was scrolled, for the buttons Back and Forward. */
export function keepScroll() {
  const kept = new Map<string, Positions>()
  const scrolled = new Set<Element>()
  history.scrollRestoration = 'manual'
  const note = ({ target }: Event) => {
    scrolled.add(target instanceof Element ? target : document.documentElement)
  }
  document.addEventListener('scroll', note, { capture: true, passive: true })
  return {
    /** Notes the positions of an entry that the page leaves. */
    leave(key: string): void {
      const shown = [...scrolled].filter((element) => element.isConnected && element.scrollTop > 0)
      kept.set(key, Object.fromEntries(shown.map((element) => [wayTo(element), element.scrollTop])))
    },
    /** The entry has a different address now. */
    forget(key: string): void {
      kept.delete(key)
    },
    /** Shows a screen at the positions that its entry had, or at its top. */
    show(key: string): void {
      scrolled.clear()
      window.scrollTo(0, 0)
      document.getElementById('main')?.scrollTo(0, 0)
      for (const [way, top] of Object.entries(kept.get(key) ?? {})) {
        document.querySelector(way)?.scrollTo(0, top)
      }
    },
  }
}

function wayTo(element: Element): string {
  const parent = element.parentElement
  if (!parent) return ':root'
  return `${wayTo(parent)}>:nth-child(${[...parent.children].indexOf(element) + 1})`
}
