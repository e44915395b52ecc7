import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMistakes } from './architecture/find-mistakes.ts'
import { findPackageMistakes } from './architecture/packages.ts'
import { findUnknownFiles, findUnlistedFolders } from './architecture/pages.ts'
import { readDocument } from './architecture/read-document.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = join(ROOT, 'packages')

const DOCUMENT = 'ARCHITECTURE.md'
const PAGES = 'docs/architecture'
const PACKAGES_PAGE = `${PAGES}/packages.md`

/**
 * Part of `npm run check`: compares the imports and folders of the packages with ARCHITECTURE.md and
 * its pages, and looks for the files that these name.
 */
const packages = new Map(readdirSync(PACKAGES).map((name) => [name, readSources(name)]))
const documents = readDocuments()
const document = readDocument(documents.get(DOCUMENT) ?? '')
const mistakes = [
  ...findMistakes(packages.get('server') ?? new Map(), document),
  ...findPackageMistakes(packages, document.packages),
  ...findUnlistedFolders(documents.get(PACKAGES_PAGE) ?? '', readFolders()),
  ...findUnknownFiles(documents, listFiles()),
]
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1

function readSources(name: string): Map<string, string> {
  const folder = join(PACKAGES, name, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}

/** The folders of each package but the server, whose folders ARCHITECTURE.md lists. */
function readFolders(): Map<string, readonly string[]> {
  const others = [...packages.keys()].filter((name) => name !== 'server')
  return new Map(
    others.map((name) => {
      const entries = readdirSync(join(PACKAGES, name, 'src'), { withFileTypes: true })
      return [name, entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)]
    }),
  )
}

function readDocuments(): Map<string, string> {
  const pages = readdirSync(join(ROOT, PAGES)).map((name) => `${PAGES}/${name}`)
  return new Map([DOCUMENT, ...pages].map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]))
}

/** The files that the documents may name: sources, tests, docs, and those of the root. */
function listFiles(): string[] {
  const inside = [
    'docs',
    'scripts',
    ...readdirSync(PACKAGES).map((name) => `packages/${name}/test`),
  ]
  return [
    ...readdirSync(ROOT),
    ...[...packages].flatMap(([name, sources]) =>
      [...sources.keys()].map((file) => `packages/${name}/src/${file}`),
    ),
    ...inside
      .filter((folder) => existsSync(join(ROOT, folder)))
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
          (file) => `${folder}/${file}`,
        ),
      ),
  ]
}
