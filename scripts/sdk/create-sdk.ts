import type { OpenApi } from './document.ts'
import { readOperations } from './operations.ts'
import { createOperationsFile } from './operations-file.ts'
import { createTreeFile } from './tree-file.ts'
import { createTypeFiles } from './type-files.ts'

/** The folder that holds only generated files. */
export const SDK_FOLDER = 'packages/sdk/src/generated/'

/** The generated files of the SDK by their paths. `openapi.json` is all that they are made from. */
export function createSdk(document: OpenApi): Map<string, string> {
  const operations = readOperations(document)
  const types = createTypeFiles(document, operations)
  return new Map([
    [`${SDK_FOLDER}operations.ts`, createOperationsFile(operations)],
    [`${SDK_FOLDER}tree.ts`, createTreeFile(document, operations)],
    ...[...types].map(([name, text]): [string, string] => [`${SDK_FOLDER}types/${name}.ts`, text]),
  ])
}
