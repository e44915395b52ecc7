import type { OpenApi } from '../sdk/document.ts'
import { readOperations } from '../sdk/operations.ts'

const WORDS = `// Written by \`npm run generate\` from openapi.json. Do not change it by hand.

/**
 * The method of the SDK for each operation, by the id of the operation. \`list\`: a \`for await\` loop
 * reads all pages. \`stream\`: a \`for await\` loop reads all rows.
 */
`

/** The names that the API reference shows in its TypeScript examples. */
export function createSdkMethods(api: OpenApi): string {
  const lines = readOperations(api).map(({ id, name, paging, isStream }) => {
    const kind = paging ? ' list' : isStream ? ' stream' : ''
    return `  ${id}: '${name.join('.')}${kind}',\n`
  })
  return `${WORDS}export const SDK_METHODS: Readonly<Record<string, string>> = {\n${lines.join('')}}\n`
}
