import { fieldsOf, parseJson } from './json-fields.ts'

/**
 * Says why a file is not an export at all, by its first line; undefined if it may be one. The user
 * has most likely passed the wrong file, so the message says nothing about the audit log.
 */
export function tellNoExport(text: string | undefined): string | undefined {
  if (text === undefined) {
    return 'this is not text, or the line is too long for an export; if the export is compressed, for example with gzip, decompress it first'
  }
  if (text.startsWith('transactionId,'))
    return `this is CSV and not an export of leaves; ${ASK_FOR_LINES}`
  if (!text.startsWith('{')) return 'this is not a line of an export as the gateway writes it'
  if (text.trim() === '{') {
    return 'this was reformatted into several lines; verify the file as the gateway sent it, in one line'
  }
  const value = parseJson(text)
  if (isError(value)) return ERROR
  const fields = fieldsOf(value)
  // An answer with a checkpoint contains a proof, which can be verified unless it was changed.
  const isAnswer = value !== undefined && !('type' in fields) && !('checkpoint' in fields)
  return isAnswer
    ? `this is a response of the gateway and not an export; ${ASK_FOR_LINES}`
    : undefined
}

const ASK_FOR_LINES = 'to get one, send the header "Accept: application/x-ndjson"'
const ERROR = 'this is an error of the gateway and not an export; the error says what to do'

/** Describes the mistake of an invalid line in a file that may be an export. */
export function tellUnknownLine(text: string | undefined): string {
  if (text === undefined) return 'this is not text, or the line is too long for an export'
  if (text === '') return 'the line is empty, but an export has no empty lines'
  if (text.endsWith('\r')) {
    return 'the line ends with CR LF: a program has rewritten the line breaks; verify the file as the gateway sent it'
  }
  const value = parseJson(text)
  if (value === undefined && text.startsWith('{')) {
    return 'the line was cut off or changed: it is not JSON'
  }
  return isError(value) ? ERROR : 'this is not a line of an export as the gateway writes it'
}

function isError(value: unknown): boolean {
  const fields = fieldsOf(value)
  return 'status' in fields && 'code' in fields
}
