/** Warnings go to standard error, so that they do not mix with the answer on standard output. */
export const toStandardError = {
  debug(): void {},
  info(): void {},
  warn(_fields: object, message: string): void {
    process.stderr.write(`${message}\n`)
  },
  error(_fields: object, message: string): void {
    process.stderr.write(`${message}\n`)
  },
}
