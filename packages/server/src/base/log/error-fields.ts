/** Longer ones hold a statement or a body, and the beginning says what it is about. */
const MESSAGE_MAX = 500
const CAUSES_MAX = 3

/**
 * What the log says of an error. Errors of drivers carry their client, and those of URLs the whole
 * address, so only these fields are taken: secrets cannot come along with the others.
 */
export function toErrorFields(error: unknown, withStack: boolean): object {
  if (!(error instanceof Error)) return { message: clip(String(error)) }
  const code = codeOf(error)
  return {
    type: error.name,
    message: messageOf(error),
    ...(code !== undefined && { code }),
    ...(withStack && { stack: error.stack }),
  }
}

/** The message with those of its causes, because the first often only says what was tried. */
export function messageOf(error: unknown): string {
  const messages: string[] = []
  let current = error
  while (current instanceof Error && messages.length < CAUSES_MAX) {
    messages.push(current.message || (codeOf(current) ?? current.name))
    current = current.cause
  }
  return clip(messages.join(': ') || String(error))
}

function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : undefined
}

function clip(text: string): string {
  return text.length <= MESSAGE_MAX ? text : `${text.slice(0, MESSAGE_MAX)}…`
}
