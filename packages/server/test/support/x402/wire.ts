/** The form that x402 documents have in headers: JSON in base64. */
export function toHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64')
}

/** The caller says what it expects; nothing is checked here. */
export function fromHeader<Document>(header: string): Document {
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
}
