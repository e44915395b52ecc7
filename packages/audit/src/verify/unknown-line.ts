import { fieldsOf, parseJson } from './json-fields.ts'

/**
 * Says why a file is not an export at all, by its first line; undefined if it may be one. The user
 * has most likely passed the wrong file, so the message says nothing about the audit log.
 */
export function tellNoExport(text: string | undefined): string | undefined {
  if (text === undefined) {
    return 'this is no text, or a line that is longer than any of an export; an export that is packed, as by gzip, has to be unpacked first'
  }
  if (text.startsWith('transactionId,'))
    return `this is CSV and no export of leaves; ${ASK_FOR_LINES}`
  if (!text.startsWith('{')) return 'this is no line of an export as the gateway writes it'
  if (text.trim() === '{') {
    return 'this was rewritten in several lines; verify it as the gateway sent it, in one'
  }
  const value = parseJson(text)
  if (isError(value)) return ERROR
  const fields = fieldsOf(value)
  // An answer with a checkpoint contains a proof, which can be verified unless it was changed.
  const isAnswer = value !== undefined && !('type' in fields) && !('checkpoint' in fields)
  return isAnswer ? `this is an answer of the gateway and no export; ${ASK_FOR_LINES}` : undefined
}

const ASK_FOR_LINES = 'one is sent with the header "Accept: application/x-ndjson"'
const ERROR = 'this is an error of the gateway and no export; it says what to do'

/** Describes the mistake of an invalid line in a file that may be an export. */
export function tellUnknownLine(text: string | undefined): string {
  if (text === undefined) return 'this is no text, or a line that is longer than any of an export'
  if (text === '') return 'the line is empty, and an export has no such line'
  if (text.endsWith('\r')) {
    return 'the line ends with CR LF: a program has rewritten the line breaks; verify the file as the gateway sent it'
  }
  const value = parseJson(text)
  if (value === undefined && text.startsWith('{')) {
    return 'the line breaks off, or was changed: it is no JSON'
  }
  return isError(value) ? ERROR : 'this is no line of an export as the gateway writes it'
}

function isError(value: unknown): boolean {
  const fields = fieldsOf(value)
  return 'status' in fields && 'code' in fields
}
