import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const SDK = join(import.meta.dirname, '..')
const { exports } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'))

/** What an app takes from each entry, and how many bytes that may add to it, minified and gzipped. */
const LIMITS = [
  { entry: '@purser/sdk', name: 'Purser', limit: 12_050 },
  { entry: '@purser/sdk/api', name: 'createApi', limit: 6_500 },
  { entry: '@purser/sdk/webhooks', name: 'verifyWebhook', limit: 3_000 },
].filter(({ entry }) => entry.replace('@purser/sdk', '.') in exports)

test.each(LIMITS)('$name of $entry takes at most $limit bytes', async ({ entry, name, limit }) => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import * as all from '${entry}'\nglobalThis.used = all.${name}`,
      resolveDir: SDK,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@purser/source'],
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  expect(bytes, `${name} takes ${bytes} bytes.`).toBeLessThanOrEqual(limit)
  const foreign = Object.keys(metafile.inputs).filter((path) => /audit|node_modules/.test(path))
  expect(
    foreign.filter(
      (path) => (metafile.outputs['<stdin>.js']?.inputs[path]?.bytesInOutput ?? 0) > 0,
    ),
  ).toEqual([])
})
