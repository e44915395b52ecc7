/*
 * An operator command on the same machine asks a running gateway over a socket in its data folder
 * (ADR 59). Only the embedded engine needs it: a second process cannot open its files. Each line
 * is one JSON object:
 *
 *   command → gateway   {"command":"backup-copy"}
 *   gateway → command   {"result":{…}}   or   {"error":"A sentence for the operator."}
 *
 * The connection stays open until the command is done with the result.
 */

export const SOCKET_NAME = 'control.sock'

/** A request or a result is a few hundred bytes. */
export const LINE_BYTES_MAX = 65_536

export interface ControlRequest {
  readonly command: string
  readonly [argument: string]: unknown
}

export type ControlAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: string }

/** Cuts a stream of text into lines. Throws if one is too long. */
export function createLines(onLine: (line: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_BYTES_MAX) throw new Error('A line is too long.')
    for (const line of lines) onLine(line)
  }
}
