const WORKERS_MAX = 64

/** Reads the number of workers that a person typed. Throws a readable error. */
export function readWorkerCount(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= WORKERS_MAX) return count
  throw new Error(`--workers must be a number from 1 to ${WORKERS_MAX}.`)
}

/** Reads the arguments of `npm start`: none, `--workers 2` or `--workers=2`. */
export function readArguments(args: readonly string[]): { readonly workers?: number } {
  const [first, ...rest] = args.flatMap((arg) => arg.split(/(?<=^--workers)=/))
  if (first === undefined) return {}
  const [count, ...others] = rest
  if (first === '--workers' && count !== undefined && others.length === 0) {
    return { workers: readWorkerCount(count) }
  }
  throw new Error(`Unknown arguments: ${args.join(' ')}. The only option is --workers <number>.`)
}
