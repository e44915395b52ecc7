import { assert } from 'vitest'
import type { OpenApiDocument, Operation } from './operations.ts'

/** Headers of HTTP itself, which no document declares. */
const OF_HTTP =
  /^(connection|content-length|content-type|date|keep-alive|trailer|transfer-encoding|vary)$/

/**
 * Fails a test whose answer has a header that the document does not declare, or lacks a promised
 * one.
 */
export function expectDeclaredHeaders(
  { components }: OpenApiDocument,
  key: string,
  { headers: declared = {} }: Operation['responses'][string],
  sent: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(declared)
  const known = names.map((name) => name.toLowerCase())
  const undeclared = namesOfOurs(sent).filter((name) => !known.includes(name))
  if (undeclared.length > 0) assert.fail(`${key} does not declare the headers ${undeclared}`)
  const promised = names.filter((name) => components.headers[name]?.required)
  const missing = promised.filter((name) => sent[name.toLowerCase()] === undefined)
  if (missing.length > 0) assert.fail(`${key} lacks the headers ${missing}`)
}

/** The names of the headers that do not belong to HTTP itself. */
export function namesOfOurs(sent: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(sent).filter((name) => !OF_HTTP.test(name))
}
