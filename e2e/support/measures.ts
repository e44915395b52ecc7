import type { Page } from 'playwright-core'

/**
 * The page itself and the sheet must not scroll sideways. Blocks inside them may. The answer names
 * the elements that stick out.
 */
export const SIDEWAYS = `[document.documentElement, document.querySelector('main')].flatMap((one) => {
  if (!one || one.scrollWidth <= one.clientWidth + 1) return []
  const { left } = one.getBoundingClientRect()
  const end = left + one.clientWidth + 1
  const wide = [...one.querySelectorAll('*')].filter((inner) =>
    inner.getBoundingClientRect().right > end && inner.childElementCount === 0)
  const names = wide.slice(0, 4).map((inner) => inner.parentElement.outerHTML.slice(0, 240))
  return [one.tagName + ': ' + one.scrollWidth + ' of ' + one.clientWidth, ...names]
})`

/**
 * Amounts that stand alone and that a box cuts off, or that leave their cell. A sentence may end in an ellipsis, and a block of
 * code may scroll.
 */
export const CUT_AMOUNTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const cut = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!/^\\s*[−+]?[\\d,]*\\d{3}[\\d,.]*(\\s[A-Z]{3})?\\s*$/.test(node.data)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width === 0 || node.parentElement.closest('pre, code, .sr-only, time')) continue
    for (let one = node.parentElement; one; one = one.parentElement) {
      const own = one === document.documentElement
        ? { left: 0, right: innerWidth }
        : one.getBoundingClientRect()
      const isBox = one === document.documentElement || one.matches('td')
      if (!isBox && getComputedStyle(one).overflowX === 'visible') continue
      if (box.right <= own.right + 1 && box.left >= own.left - 1) continue
      cut.push(node.data + ' in ' + one.outerHTML.slice(0, 120))
      break
    }
  }
  return cut
})()`

/** Lines of text that a box cuts off at its bottom, or at its side without an ellipsis. */
export const CUT_TEXTS = `[...document.querySelectorAll('main *, [role=dialog] *')].flatMap((one) => {
  const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(one)
  if (!hasText || one.clientWidth <= 1 || one.closest('pre, svg') || webkitLineClamp !== 'none') return []
  const isLow = /hidden|clip/.test(overflowY) && one.scrollHeight > one.clientHeight + 3
  const isNarrow = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' &&
    one.scrollWidth > one.clientWidth + 1
  return isLow || isNarrow ? [one.outerHTML.slice(0, 160)] : []
})`

/** The spacing of WCAG 1.4.12. The policy of the page forbids style elements, not style sheets. */
export function setTextSpacing(page: Page): Promise<void> {
  return page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(\`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important;
          word-spacing: 0.16em !important; }
      p { margin-bottom: 2em !important; }\`)
    document.adoptedStyleSheets = [sheet]
  }`)
}

export function removeTextSpacing(page: Page): Promise<void> {
  return page.evaluate('document.adoptedStyleSheets = []')
}
