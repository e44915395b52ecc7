const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Returns how many columns of a terminal the text takes. */
export function widthOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no closer look.
  if (/^[\x00-\x7f]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

function columnsOf(character: string): number {
  if (/\p{M}/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Cuts a text to this many columns; `…` marks the cut. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of text) {
    width += columnsOf(character)
    if (width > columns - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Fills a text with spaces up to this many columns. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - widthOf(text)))
  return align === 'left' ? text + spaces : spaces + text
}

/** The width of the terminal; undefined if the output goes into a file or a pipe. */
export function terminalWidth(): number | undefined {
  const { isTTY, columns } = process.stdout
  return isTTY && columns > 0 ? columns : undefined
}
