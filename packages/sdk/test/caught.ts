/** Returns the error of a call that must fail. */
export async function caught(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call succeeded.')
}
