import { parseJson } from './json-fields.ts'

/**
 * What is wrong with a line that is none of an export. Whoever sees this has mostly given the wrong
 * file, or one that a program has rewritten on its way.
 */
export function tellUnknownLine(text: string | undefined, isFirst: boolean): string {
  if (text === undefined) {
    return 'this is no text, or a line that is longer than any of an export; an export that is packed, as by gzip, has to be unpacked first'
  }
  if (text.endsWith('\r')) {
    return 'the line ends with CR LF: a program has rewritten the line breaks; verify the file as the gateway sent it'
  }
  const value = parseJson(text)
  if (value === undefined && text.startsWith('{')) {
    return 'the line breaks off, or was changed: it is no JSON'
  }
  if (isFirst && typeof value === 'object' && value !== null && !('type' in value)) {
    return 'this is an answer of the gateway and no export; one is sent with the header "Accept: application/x-ndjson"'
  }
  if (isFirst && isError(value)) {
    return 'this is an error of the gateway and no export; it says what to do'
  }
  return 'this is no line of an export as the gateway writes it'
}

function isError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'status' in value && 'code' in value
}
