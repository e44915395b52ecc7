/** The member that a passkey belongs to. */
interface Owner {
  readonly organizationId: string
  readonly memberId: string
}

const FORM = /^[0-9a-f]{64}$/

/**
 * The user handle of WebAuthn: 32 bytes, the ids of the organization and of the member. Browsers
 * store it with the passkey and return it with each answer.
 */
export function toUserHandle({ organizationId, memberId }: Owner): string {
  return Buffer.from(`${organizationId}${memberId}`.replaceAll('-', ''), 'hex').toString(
    'base64url',
  )
}

/** Undefined if the text is not a user handle of this gateway. */
export function fromUserHandle(handle: string): Owner | undefined {
  const digits = Buffer.from(handle, 'base64url').toString('hex')
  if (!FORM.test(digits)) return undefined
  return { organizationId: withDashes(digits.slice(0, 32)), memberId: withDashes(digits.slice(32)) }
}

function withDashes(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
