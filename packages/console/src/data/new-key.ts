/**
 * A random key for a request. `crypto.randomUUID` is missing on pages over plain HTTP, except on
 * this machine.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
