import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Counted, countEnglish } from './english/count.ts'
import { findLongLines, listOpenApiTexts, toComments, toMarkdownProse } from './english/texts.ts'
import { askGit } from './git.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The figures are per 1,000 words. A figure above its aim is printed, and fails nothing. */
const AIMS = { whats: 3, persons: 0.5 }

interface Finding {
  readonly place: string
  readonly text: string
}

interface Measured extends Omit<Counted, 'hits'> {
  readonly findings: readonly Finding[]
  readonly longLines: readonly Finding[]
}

/**
 * Part of `npm run check`: prints how plain our English is. With paths of files or folders as
 * arguments it lists the sentences and lines that count: measure-english.ts docs/guide-card.md
 */
async function main(paths: readonly string[]): Promise<void> {
  const files = await listFiles(paths)
  const markdown = sum(files.filter(isMarkdown).map(measureMarkdown))
  const sources = files.filter(isSource)
  const commentsOf = new Map(sources.map((file) => [file, measureComments(file)]))
  const comments = sum([...commentsOf.values()])
  const packageRows = [...new Set(sources.map(packageOf))].sort().map((name) => {
    const own = [...commentsOf].filter(([file]) => packageOf(file) === name)
    return row(`  ${name}`, sum(own.map(([, measured]) => measured)))
  })
  const openApi = sum(files.filter((file) => file === 'openapi.json').map(measureOpenApi))
  const listed = paths.length > 0 ? [markdown, comments, openApi] : []
  const lines = listed
    .flatMap(({ findings, longLines }) => [...findings, ...longLines])
    .map(({ place, text }) => `${place}: ${text}`)
  const figures = [
    `Plain English, per 1,000 words (aim)    "what" (< ${AIMS.whats})   nobody … (< ${AIMS.persons})`,
    row('Markdown', markdown),
    row('comments', comments),
    ...packageRows,
    row('OpenAPI', openApi),
    `Markdown lines over 100 characters: ${markdown.longLines.length}`,
  ]
  console.log([...lines, ...figures].join('\n'))
}

/** Lists every file for readers that git knows or would add. */
async function listFiles(paths: readonly string[]): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
  const names = (await askGit(ROOT, ...args, ...paths))?.split('\0') ?? []
  return [...new Set(names)].filter(
    (name) => isMarkdown(name) || isSource(name) || name === 'openapi.json',
  )
}

function isMarkdown(file: string): boolean {
  return file.endsWith('.md') && !file.includes('/test/')
}

function isSource(file: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file)
}

/** `packages/server` of `packages/server/src/core/id.ts`. */
function packageOf(file: string): string {
  return file.split('/', 2).join('/')
}

function measureMarkdown(file: string): Measured {
  const markdown = read(file)
  const lines = markdown.split('\n')
  const longLines = findLongLines(markdown).map((line) => ({
    place: `${file}:${line}`,
    text: `[${lines[line - 1]?.length} characters] ${lines[line - 1]?.slice(0, 60)}…`,
  }))
  return { ...measureText(toMarkdownProse(markdown), file), longLines }
}

function measureComments(file: string): Measured {
  return measureText(toComments(read(file)), file)
}

function measureOpenApi(file: string): Measured {
  const texts = listOpenApiTexts(JSON.parse(read(file)))
  // A shared schema appears in the document once per use; its text counts once.
  const unique = new Map(texts.map(([pointer, text]) => [text, pointer]))
  return sum([...unique].map(([text, pointer]) => measureText(text, `${file}#${pointer}`)))
}

function measureText(text: string, file: string): Measured {
  const { hits, ...figures } = countEnglish(text)
  const findings = hits.map(({ kind, line, sentence }) => ({
    place: `${file}:${line}`,
    text: `[${kind}] ${sentence}`,
  }))
  return { ...figures, findings, longLines: [] }
}

function read(file: string): string {
  return readFileSync(ROOT + file, 'utf8')
}

function sum(parts: readonly Measured[]): Measured {
  const add = (pick: (part: Measured) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0)
  return {
    words: add(({ words }) => words),
    whats: add(({ whats }) => whats),
    persons: add(({ persons }) => persons),
    findings: parts.flatMap(({ findings }) => findings),
    longLines: parts.flatMap(({ longLines }) => longLines),
  }
}

function row(name: string, { words, whats, persons }: Measured): string {
  const perThousand = (count: number): string => ((count * 1_000) / Math.max(words, 1)).toFixed(1)
  const counted = `${name}: ${words.toLocaleString('en-US')} words`
  return `  ${counted.padEnd(38)}${perThousand(whats).padStart(6)}${perThousand(persons).padStart(15)}`
}

await main(process.argv.slice(2))
