/**
 * Rows, columns and zigzags of a keyboard, and the alphabet: typing along one of them takes little
 * choice.
 */
const LINES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '!@#$%^&*()',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaq12wsxcde34rfvbgt56yhnmju7',
]

/** The average length from which runs along a line, or of the same key, count as a pattern. */
const RUN_MIN = 3

/**
 * Whether a lower-case text is typed without thinking: keys that are repeated or adjacent, in a few
 * runs (`qwertyuiop12`, `aaaabbbbcccc`), or a short piece again and again (`abcabcabcabc`).
 */
export function isPattern(text: string): boolean {
  const characters = [...text.replaceAll(/[\s._-]/gu, '')]
  if (characters.length === 0) return true
  const unit = repeatedUnit(characters)
  return unit.length < 5 || countRuns(characters) * RUN_MIN <= characters.length
}

/** The shortest piece whose repetition gives the text; the last repetition may be cut off. */
export function repeatedUnit(characters: readonly string[]): readonly string[] {
  const most = Math.floor(characters.length / 2)
  for (let size = 1; size <= most; size++) {
    if (characters.every((one, at) => one === characters[at % size])) {
      return characters.slice(0, size)
    }
  }
  return characters
}

/** The number of runs in the text, each as long as possible. */
function countRuns(characters: readonly string[]): number {
  let runs = 0
  for (let at = 0; at < characters.length; at += runFrom(characters, at)) runs += 1
  return runs
}

function runFrom(characters: readonly string[], from: number): number {
  const rest = characters.slice(from)
  const different = rest.findIndex((one) => one !== rest[0])
  const same = different === -1 ? rest.length : different
  return Math.max(same, ...DIRECTIONS.map((line) => alongLine(line, rest)))
}

const DIRECTIONS = LINES.flatMap((line) => [line, [...line].reverse().join('')])

/** How many characters of the text follow the line, from any position in it. */
function alongLine(line: string, rest: readonly string[]): number {
  let longest = 1
  for (let at = line.indexOf(rest[0] ?? ''); at !== -1; at = line.indexOf(rest[0] ?? '', at + 1)) {
    let length = 1
    while (length < rest.length && line[at + length] === rest[length]) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}
