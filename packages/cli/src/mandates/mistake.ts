/** A mistake in a mandate file, at the place where a person can mend it. */
export interface FileMistake {
  readonly file: string
  readonly line: number
  /** The field, such as `rules[0].max`. Empty for a mistake that belongs to no field. */
  readonly field: string
  /** Words that follow the name of the field. */
  readonly message: string
}

/** The step from a value to one of its parts: the name of a field, or the place in a list. */
export type PathStep = string | number

/** `mandates/research.yaml:12: rules[0].max must be above 0`: editors open such a place. */
export function toMistakeLine({ file, line, field, message }: FileMistake): string {
  return `${file}:${line}: ${field === '' ? message : `${field} ${message}`}`
}

export function toFieldName(path: readonly PathStep[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    return name === '' ? step : `${name}.${step}`
  }, '')
}

/** The path of a JSON pointer, as the errors of the gateway have it. */
export function fromPointer(pointer: string): PathStep[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}
