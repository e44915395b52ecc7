import { foldersIn, sectionOf } from './read-document.ts'

/** A file name in a sentence, such as `gateway/gateway.ts`; addresses and variables have no ending. */
const FILE_NAME = /`([\w.@/-]+\.(?:tsx?|mjs|json|md))`/g

/** Every file name in the documents that no file of the repository has, or ends with. */
export function findUnknownFiles(
  documents: ReadonlyMap<string, string>,
  files: readonly string[],
): string[] {
  return [...documents].flatMap(([document, text]) =>
    [...text.matchAll(FILE_NAME)]
      .map(([, name = '']) => name)
      .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name) => `${document} names ${name}, which does not exist.`),
  )
}

/**
 * Compares the first level of folders in the `src` of each package with a page that has a section and
 * a tree for each package.
 */
export function findUnlistedFolders(
  page: string,
  packages: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [...packages].flatMap(([name, present]) => {
    const listed = foldersIn(sectionOf(page, `## \`packages/${name}\``))
    const missing = present.filter((folder) => !listed.includes(folder))
    const gone = listed.filter((folder) => !present.includes(folder))
    return [
      ...missing.map((folder) => `packages.md does not name packages/${name}/src/${folder}/.`),
      ...gone.map((folder) => `packages.md names packages/${name}/src/${folder}/, which is gone.`),
    ]
  })
}
