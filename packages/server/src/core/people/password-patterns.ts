/** Rows, columns and zigzags of a keyboard, and the alphabet: whoever types along one has chosen little. */
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

/** On the average a step along a line, or the same key, has to go on for so long. */
const RUN_MIN = 3

/**
 * Whether a text in lower case is typed without thinking: keys that are repeated or lie side by side, in
 * a few runs (`qwertyuiop12`, `aaaabbbbcccc`), or a short piece again and again (`abcabcabcabc`).
 */
export function isPattern(text: string): boolean {
  const characters = [...text.replaceAll(/[\s._-]/gu, '')]
  if (characters.length === 0) return true
  const unit = repeatedUnit(characters)
  return unit.length < 5 || countRuns(characters) * RUN_MIN <= characters.length
}

/** The shortest piece of which the text is made by repeating it; its end may be cut off. */
export function repeatedUnit(characters: readonly string[]): readonly string[] {
  const most = Math.floor(characters.length / 2)
  for (let size = 1; size <= most; size++) {
    if (characters.every((one, at) => one === characters[at % size])) {
      return characters.slice(0, size)
    }
  }
  return characters
}

/** How many runs the text falls into, each as long as it can be. */
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

/** How far the text goes along the line, from wherever it begins in it. */
function alongLine(line: string, rest: readonly string[]): number {
  let longest = 1
  for (let at = line.indexOf(rest[0] ?? ''); at !== -1; at = line.indexOf(rest[0] ?? '', at + 1)) {
    let length = 1
    while (length < rest.length && line[at + length] === rest[length]) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}
