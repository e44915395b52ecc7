/**
 * Parses a URL; undefined if it is malformed. `URL.canParse` is not used anywhere: in Node 20 its
 * optimized form reads texts such as `http://bücher.example` as broken UTF-8, so after some thousand
 * calls it refuses valid hosts.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
