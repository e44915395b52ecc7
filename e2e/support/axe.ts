import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Fails with what axe-core finds on the page as it is now. */
export async function expectAccessible(page: Page, name = page.url()): Promise<void> {
  await page.evaluate(SOURCE)
  const found: readonly Finding[] = await page.evaluate(async (values) => {
    const { axe, document } = globalThis as unknown as {
      document: unknown
      axe: { run: (root: unknown, options: object) => Promise<{ violations: Finding[] }> }
    }
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values } })
    return violations
  }, RULES)
  const texts = found.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).join('\n  ')}`,
  )
  expect(texts, name).toEqual([])
}
