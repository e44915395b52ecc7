/**
 * Invisible characters that change how the text around them looks: control characters, line and
 * paragraph separators, and marks that change the direction of writing.
 */
const UNREADABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * Characters that show nothing, or only a blank: with them, two different names can look the same.
 * Zero-width blanks and joiners, fillers of Hangul and Khmer, the blank of Braille, marks of
 * mathematics, music, annotations and hieroglyphs, selectors of variants, and tags.
 */
const UNSEEN = [
  /[\u00ad\u115f\u1160\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]/u,
  /\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180e|\u180f/u,
  /[\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u,
  /[\ufe00-\ufe0f]/u,
]

/** Places in which scripts and emoji need them; there they change the characters beside them. */
const IN_PLACE = [
  // Letters of Persian, Hindi and others, kept apart or joined.
  /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu,
  // The older way to write the letters of Malayalam that end a word, and half letters: behind a virama.
  /(?<=[\p{L}\p{M}](?:\u094d|\u09cd|\u0a4d|\u0acd|\u0b4d|\u0bcd|\u0c4d|\u0ccd|\u0d4d|\u0dca))\u200d/gu,
  // Persian words followed by a number.
  /(?<=\p{Script=Arabic}\p{M}*)\u200c(?=\p{N})/gu,
  // Pictures composed of several.
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu,
  // Coloured pictures, and keys with a digit.
  /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu,
  // Variants of Han, as in Japanese names, and of Mongolian.
  /(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/gu,
  /(?<=\p{Script=Mongolian})(?:\u180b|\u180c|\u180d|\u180e|\u180f)/gu,
  // Flags of regions, such as that of Scotland.
  /(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}/gu,
]

/** Whether a name looks like what it is. */
export function isReadableName(text: string): boolean {
  if (UNREADABLE.test(text)) return false
  if (!hasUnseen(text)) return true
  // Matches all places in the original text: removing a match must not create a new one.
  const kept = new Set(IN_PLACE.flatMap((place) => [...text.matchAll(place)].flatMap(indexesOf)))
  const rest = [...text.matchAll(/./gsu)].filter(({ index }) => !kept.has(index))
  return !hasUnseen(rest.map(([one]) => one).join(''))
}

function hasUnseen(text: string): boolean {
  return UNSEEN.some((unseen) => unseen.test(text))
}

/** The start index of each of its characters. */
function indexesOf(found: RegExpExecArray): number[] {
  return [...found[0].matchAll(/./gsu)].map(({ index }) => found.index + index)
}

/**
 * Whether a longer text is readable. Unlike a name, it may have line breaks and tabs. Invisible
 * characters may stay in it: a description identifies no one.
 */
export function isReadableText(text: string): boolean {
  return !UNREADABLE.test(text.replace(/[\t\r\n]/g, ''))
}
