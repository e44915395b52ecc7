/**
 * Undefined unless it is exactly the text that `toString('base64')` gives. Node's own decoder skips
 * what it does not know, and bits of the last letter that stand for nothing: then several texts would
 * mean the same bytes, and a changed one would go unnoticed.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
