import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Changes the theme of the system, which the page follows at once. */
export async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
  // Even with reduced motion, a color is that of the new theme only after a frame.
  await page.evaluate(FRAMES)
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
}

const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
