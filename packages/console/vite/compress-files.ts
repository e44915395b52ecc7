import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(html|js|css|svg)$/

/** Writes `.br` and `.gz` beside each file, so that the gateway compresses nothing. */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    // Not closeBundle, which also runs after a failed build: an error there would hide its cause.
    writeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => COMPRESSIBLE.test(name)))
        compress(join(folder, file))
    },
  }
}

function compress(path: string): void {
  const content = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}
