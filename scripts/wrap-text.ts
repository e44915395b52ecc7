const WIDTH = 100

/**
 * Wraps a Markdown paragraph or list item at 100 characters. `bullet` begins the first line, and the
 * other lines are indented as far. A number stays with its unit.
 */
export function wrapText(text: string, bullet = ''): string {
  const indent = ' '.repeat(bullet.length)
  const lines: string[] = []
  for (const word of text.split(/(?<!\d) | (?!(?:s|min)\b)/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${line} ${word}`
    } else lines.push(`${lines.length === 0 ? bullet : indent}${word}`)
  }
  return lines.join('\n')
}
