const WIDTH = 100

/** The paragraphs as a comment, wrapped at 100 characters. Empty without a text. */
export function commentOf(text: string | readonly string[] | undefined, indent = ''): string {
  const paragraphs = (typeof text === 'string' ? [text] : (text ?? [])).filter((one) => one !== '')
  if (paragraphs.length === 0) return ''
  const safe = paragraphs.map((one) => one.replaceAll('*/', '*\u200b/'))
  const line = `${indent}/** ${safe[0]} */`
  if (safe.length === 1 && line.length <= WIDTH && !line.includes('\n')) return `${line}\n`
  const lines = safe.flatMap((one, index) => [
    ...(index === 0 ? [] : ['']),
    ...one.split('\n').flatMap((part) => wrap(part, WIDTH - indent.length - 3)),
  ])
  const body = lines.map((one) => (one === '' ? `${indent} *\n` : `${indent} * ${one}\n`))
  return `${indent}/**\n${body.join('')}${indent} */\n`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${line} ${word}`
    } else lines.push(lines.length > 0 && text.startsWith('- ') ? `  ${word}` : word)
  }
  return lines
}
