import { dirname, posix } from 'node:path'

/** The first folder in `src`, or the name of a file directly in it. */
export function partOf(path: string): string {
  return path.split('/')[0]?.replace(/\.ts$/, '') ?? ''
}

/** Everything that a module imports, types included. */
export function importsOf(source: string): string[] {
  const found = source.matchAll(/(?:^import|\bfrom|\bimport\() ?'([^']+)'/gm)
  return [...found].map(([, specifier = '']) => specifier)
}

/** Returns the file in `src` that a relative specifier names. */
export function resolveImport(file: string, specifier: string): string {
  return posix.normalize(posix.join(dirname(file), specifier))
}

/**
 * The files and packages that are loaded with a file. Types are erased; a called import is loaded
 * later.
 */
export function loadedFrom(files: ReadonlyMap<string, string>, ...entries: string[]): string[] {
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const specifier of loadedBy(files.get(file) ?? '')) {
      if (specifier.startsWith('.')) load(resolveImport(file, specifier))
      else loaded.add(specifier)
    }
  }
  for (const entry of entries) load(entry)
  return [...loaded]
}

function loadedBy(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\b(?! type\b)[^']*?from '([^']+)'/gm)
  return [...statements].map(([, specifier = '']) => specifier)
}
