import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')

test('ARCHITECTURE.md names every file, and none that is not there', () => {
  const document = readFileSync(resolve(SRC, '../../../ARCHITECTURE.md'), 'utf8')
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
  expect(namedIn(document).sort()).toEqual(files.sort())
})

/** The paths in the tree below `src/`: names up to the first wide gap, folders by their indentation. */
function namedIn(document: string): string[] {
  const lines = document.split('\n')
  const begin = lines.findIndex((line) => line.trim() === 'src/')
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '))
  const rows = lines.slice(begin + 1, end).filter((line) => line.trim() !== '')
  const folders: { readonly indent: number; readonly path: string }[] = []
  return rows.flatMap((line) => {
    const indent = line.search(/\S/)
    while ((folders.at(-1)?.indent ?? -1) >= indent) folders.pop()
    const inside = folders.at(-1)?.path ?? ''
    const [names = ''] = line.trim().split(/ {2,}/)
    if (!names.endsWith('/')) return names.split(' ').map((name) => inside + name)
    folders.push({ indent, path: inside + names })
    return []
  })
}
