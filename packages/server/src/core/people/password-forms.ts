import { isPattern, repeatedUnit } from './password-patterns.ts'

/** Characters that people use in place of letters; 1 stands for two letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  '!': 'i',
  '|': 'l',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
}

/** A year, a date or a few signs: adding as much to a common password does not make it a new one. */
const ADDED_MAX = 8

/**
 * The simpler texts that a lower-case password may be a variant of: without additions at its ends, with
 * letters for look-alike digits and signs, without repetition, and reversed. If one of them is common,
 * the password is easy to guess.
 */
export function commonForms(lower: string): string[] {
  const joined = lower.replaceAll(/[\s._-]/gu, '')
  const forms = [lower, joined]
    .flatMap((text) => [text, reversed(text)])
    .flatMap(withoutAdded)
    .flatMap((text) => [text, onceOf(text)])
    .flatMap(withoutAdded)
    .flatMap(spellings)
  return [...new Set(forms)].filter((form) => form !== '')
}

/** The text, and variants without the digits and signs at its end, its beginning, or both. */
function withoutAdded(text: string): string[] {
  const end = /[^\p{L}]*$/u.exec(text)?.[0] ?? ''
  const begin = /^[^\p{L}]*/u.exec(text)?.[0] ?? ''
  // Digits and signs alone contain no word that they were added to.
  if (begin === text) return [text]
  const cutEnd = isAdded(end) ? text.slice(0, text.length - end.length) : text
  const cutBegin = isAdded(begin) ? text.slice(begin.length) : text
  const cutBoth = isAdded(begin) ? cutEnd.slice(begin.length) : cutEnd
  return [text, cutEnd, cutBegin, cutBoth]
}

function isAdded(text: string): boolean {
  return text.length <= ADDED_MAX || isPattern(text)
}

/** The repeated piece, or the half that the other half mirrors. */
function onceOf(text: string): string {
  const characters = [...text]
  const unit = repeatedUnit(characters)
  if (unit.length < characters.length) return unit.join('')
  const half = characters.slice(0, Math.ceil(characters.length / 2)).join('')
  return half + reversed(half).slice(characters.length % 2) === text ? half : text
}

function spellings(text: string): string[] {
  const spell = (one: string) =>
    [...text].map((each) => (each === '1' ? one : (LETTERS[each] ?? each))).join('')
  return [text, spell('i'), spell('l')]
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}
