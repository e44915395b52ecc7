/** Bytes in their own memory, as `crypto.subtle` in a browser requires. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Returns undefined for a text that is not base64. */
export function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Encodes bytes in parts, because a call has a limited number of arguments. */
export function encodeBase64(bytes: Uint8Array): string {
  const part = 0x8000
  let text = ''
  for (let at = 0; at < bytes.length; at += part) {
    text += String.fromCharCode(...bytes.subarray(at, at + part))
  }
  return btoa(text)
}

export function encodeHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns undefined if the stream is longer than allowed. It stops reading there. */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Bytes | undefined> {
  const reader = stream?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      // The caller does not wait for it, and it is no error if the sender has left.
      void reader.cancel().catch(() => {})
      return undefined
    }
    parts.push(value)
  }
  return joinBytes(parts, size)
}

export function joinBytes(parts: readonly Uint8Array[], size: number): Bytes {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
