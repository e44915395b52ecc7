/** Functions that extract the English from a file. Each keeps the file's line numbers. */

/** Markdown without code blocks: fenced ones, and indented ones outside of lists. */
export function toMarkdownProse(markdown: string): string {
  return scanMarkdown(markdown)
    .map(({ line, isCode }) => (isCode ? '' : line))
    .join('\n')
}

/** The comments of a TypeScript file. */
export function toComments(source: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, '')
  let end = 0
  let comments = ''
  for (const { 0: comment, index } of source.matchAll(COMMENT)) {
    comments += blank(source.slice(end, index)) + comment.replace(COMMENT_SIGNS, ' ')
    end = index + comment.length
  }
  return comments
}

/** A comment begins a line or follows a space, so an address in a string does not count. */
const COMMENT = /(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*)/g
const COMMENT_SIGNS = /\/\*\*?|\*\/|^\s*\*(?=\s|$)|\/\//gm

/** Every title, summary and description of an OpenAPI document, with its JSON pointer. */
export function listOpenApiTexts(node: unknown, pointer = ''): [pointer: string, text: string][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (TEXTS.has(key) && typeof value === 'string') return [[place, value]]
    return EXAMPLES.has(key) ? [] : listOpenApiTexts(value, place)
  })
}

const TEXTS = new Set(['title', 'summary', 'description'])
const EXAMPLES = new Set(['example', 'examples', 'default', 'const', 'enum'])

const LINE_MAX = 100

/**
 * Returns the numbers of the Markdown lines over 100 characters. Code blocks and table rows cannot
 * be wrapped, and neither can a line that is one long address. Generated files are skipped, because
 * they have one line for each text of the code.
 */
export function findLongLines(markdown: string): number[] {
  if (isGenerated(markdown)) return []
  return scanMarkdown(markdown).flatMap(({ line, isCode }, index) => {
    const isWhole = !line.trimStart().slice(0, LINE_MAX).includes(' ')
    const canWrap = !isCode && !line.trimStart().startsWith('|') && !isWhole
    return canWrap && line.length > LINE_MAX ? [index + 1] : []
  })
}

/** Generated pages say so within their first lines; the CLI's README is the list of its commands. */
function isGenerated(markdown: string): boolean {
  const head = markdown.slice(0, 400)
  return /\bGenerated from\b/.test(head) || head.startsWith('# purser\n')
}

interface Line {
  readonly line: string
  readonly isCode: boolean
}

function scanMarkdown(markdown: string): Line[] {
  let isFenced = false
  let isList = false
  let mayIndent = true
  return markdown.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isFenced = !isFenced
    if (isFence || isFenced) return { line, isCode: true }
    if (/^\S/.test(line)) isList = /^(?:[-*+]|\d+\.)\s/.test(line)
    const isIndented = /^ {4}/.test(line) && !isList && mayIndent
    mayIndent = isIndented || line.trim() === ''
    return { line, isCode: isIndented }
  })
}
