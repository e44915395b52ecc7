import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMistakes } from './architecture/find-mistakes.ts'
import { readDocument } from './architecture/read-document.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(ROOT, 'packages/server/src')

/** Part of `npm run check`: compares the imports of the server with ARCHITECTURE.md. */
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)
const sources = new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))
const document = readDocument(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))
const mistakes = findMistakes(sources, document)
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1
