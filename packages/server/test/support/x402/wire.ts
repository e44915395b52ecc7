/** The form of x402 documents in headers: JSON in base64. */
export function toHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64')
}

/** The caller names the expected type; nothing is checked here. */
export function fromHeader<Document>(header: string): Document {
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
}
