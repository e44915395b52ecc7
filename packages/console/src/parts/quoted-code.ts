/** A text as TypeScript writes it, in single quotes. No character of it can end the quotation. */
export function quotedCode(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
