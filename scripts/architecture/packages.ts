import { importsOf, resolveImport } from './imports.ts'

/** The files of each package by their path in its `src`. */
export type PackageSources = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The rules of one package in ARCHITECTURE.md. */
export interface PackageRules {
  /** Our packages that it may import. */
  readonly mayImport: readonly string[]
  /** Packages that it may load only with a called `import()`. */
  readonly lazily: readonly string[]
}

/** A browser runs the library, so only this folder of `audit` may use Node's modules. */
const NODE_FOLDER = 'node/'

/** Every import between packages that ARCHITECTURE.md does not allow. */
export function findPackageMistakes(
  packages: PackageSources,
  rules: ReadonlyMap<string, PackageRules>,
): string[] {
  return [...packages].flatMap(([name, sources]) => {
    const allowed = rules.get(name)
    if (!allowed) return [`ARCHITECTURE.md does not say what packages/${name} may import.`]
    return [...sources].flatMap(([file, source]) =>
      [
        ...mistakesOfPackage(file, source, allowed),
        ...(name === 'audit' ? mistakesOfAudit(file, source) : []),
      ].map((mistake) => `packages/${name}/src/${file} ${mistake}`),
    )
  })
}

/** A package may read its own manifest, which has its version. */
function isOutside(path: string): boolean {
  return path.startsWith('../') && path !== '../package.json'
}

function mistakesOfPackage(file: string, source: string, rules: PackageRules): string[] {
  const imports = importsOf(source)
  const loaded = [...source.matchAll(/^(?:import|export)\b(?! type\b)[^']*?from '([^']+)'/gm)]
  return [
    ...imports
      .filter((name) => name.startsWith('.') && isOutside(resolveImport(file, name)))
      .map((name) => `imports ${name}, which is outside of its package.`),
    ...imports
      .filter((name) => {
        const target = packageOf(name)
        return target !== undefined && !rules.mayImport.includes(target)
      })
      .map((name) => `imports ${name}, which its package may not.`),
    ...loaded
      .map(([, name = '']) => name)
      .filter((name) => rules.lazily.includes(packageOf(name) ?? ''))
      .map((name) => `loads ${name} at once: call import() where it is needed.`),
  ]
}

/** An auditor has to trust this package, so it imports no other one. */
function mistakesOfAudit(file: string, source: string): string[] {
  const isNode = file.startsWith(NODE_FOLDER)
  return importsOf(source)
    .filter((name) =>
      name.startsWith('.')
        ? !isNode && resolveImport(file, name).startsWith(NODE_FOLDER)
        : !(isNode && name.startsWith('node:')),
    )
    .map((name) => `imports ${name}; the library of audit imports nothing.`)
}

/** Returns the folder in `packages` of one of our packages; undefined for third-party packages. */
function packageOf(name: string): string | undefined {
  if (name === 'purser') return 'cli'
  return /^@purser\/([^/]+)/.exec(name)?.[1]
}
