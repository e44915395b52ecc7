import { useEffect } from 'react'

const GUARDS = '[data-base-ui-focus-guard][aria-hidden]'

/**
 * Goes into a popup of Base UI. The guards around a popup pass the focus on at once, but they are
 * hidden from screen readers while they can have it, which is a fault by the rules of ARIA.
 */
export function ShownGuards() {
  useEffect(() => {
    function show() {
      for (const guard of document.querySelectorAll(GUARDS)) guard.removeAttribute('aria-hidden')
    }
    show()
    // Some guards come after the popup itself.
    const observer = new MutationObserver(show)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return null
}
