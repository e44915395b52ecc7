const SUBJECT_MAX = 60
const AREA = /^[a-z0-9][a-z0-9./-]*: \S/
const TO_BE_SQUASHED = /^(fixup|squash|amend)! /
/** Lines such as `Reviewed-by: …`, which name a person but give no reason. */
const CREDIT = /^[A-Z][a-z]+(-[a-z]+)*-by: .*$/gm

/** Returns the mistakes of a commit message, each with its correction. Empty if there are none. */
export function inspectMessage(message: string): string[] {
  const [subject = '', separator = '', ...lines] = message.trim().split('\n')
  if (TO_BE_SQUASHED.test(subject)) {
    return ['It waits to be squashed. Run: git rebase -i --autosquash <the commit before>']
  }
  const length = [...subject].length
  const complaints: string[] = []
  if (length > SUBJECT_MAX) {
    complaints.push(
      `The subject has ${length} characters, and ${SUBJECT_MAX} are allowed. Move details into the body.`,
    )
  }
  if (!AREA.test(subject)) {
    complaints.push(
      'The subject names no area. Write "area: what changed", such as "gateway: release expired holds".',
    )
  }
  if (subject.endsWith('.')) complaints.push('The subject ends with a full stop. Remove it.')
  if (separator.trim() !== '') {
    complaints.push('The second line is not empty. Put an empty line between subject and body.')
  }
  if ([separator, ...lines].join('\n').replace(CREDIT, '').trim() === '') {
    complaints.push('The body is empty. Say there why the change is made.')
  }
  return complaints
}

/** Whether the commit will be squashed into a different one, whose message counts. */
export function isToBeSquashed(message: string): boolean {
  return TO_BE_SQUASHED.test(message)
}
