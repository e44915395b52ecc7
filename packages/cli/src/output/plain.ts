/**
 * Replaces control characters. Agents write some of these texts, and a control character could move
 * the cursor and show a person a different amount than the one that is approved.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}
