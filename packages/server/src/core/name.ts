/**
 * Characters that nobody sees, and that change what is seen of the text around them: control
 * characters, line and paragraph separators, and marks that turn the direction of writing.
 */
const UNREADABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Whether a name shows in a list as what it is. */
export function isReadableName(text: string): boolean {
  return !UNREADABLE.test(text)
}

/** Whether a longer text does; it may have line breaks and tabs, which a name may not. */
export function isReadableText(text: string): boolean {
  return isReadableName(text.replace(/[\t\r\n]/g, ''))
}
