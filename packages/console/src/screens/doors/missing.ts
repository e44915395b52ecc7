import type { Mistakes } from '../../page/form-errors.ts'

/** The sentence for each field that cannot be empty. */
const MISSING = {
  token: 'Enter the set-up token.',
  name: 'Enter your name.',
  email: 'Enter your e-mail address.',
  password: 'Enter your password.',
  newPassword: 'Choose a password of 12 characters or more.',
  recoveryCode: 'Enter a recovery code.',
  organization: 'Enter the name of your organization.',
} as const

const NEW_PASSWORD_MIN = 12

interface Given {
  readonly [name: string]: string
}

/**
 * Lists the fields that a person must still fill in before the form is sent. The gateway checks the
 * same and more, but its sentences describe fields of a request, and these speak to a person.
 */
export function missingIn(given: Given, isNewPassword: boolean): Mistakes | null {
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const sentence = sentenceOf(name, value, isNewPassword)
    return sentence === undefined ? [] : [[name, sentence] as const]
  })
  return wrong.length === 0 ? null : Object.fromEntries(wrong)
}

function sentenceOf(name: string, value: string, isNewPassword: boolean): string | undefined {
  if (name === 'password' && isNewPassword) {
    return [...value].length < NEW_PASSWORD_MIN ? MISSING.newPassword : undefined
  }
  if (value.trim() === '') return MISSING[name as keyof typeof MISSING]
  if (name === 'email' && !/^\S+@\S+$/.test(value.trim())) {
    return 'Enter a whole e-mail address, such as ada@example.com.'
  }
  return undefined
}
