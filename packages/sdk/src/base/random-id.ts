/**
 * A random text for one request. Browsers have `crypto.randomUUID` only on pages over HTTPS or on
 * this machine; elsewhere, 16 random bytes do as well.
 */
export function randomId(): string {
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint8Array(16)).join('-')
}
