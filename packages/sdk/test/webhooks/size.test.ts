import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const BYTES_MAX = 3_000

test('verifyWebhook alone takes at most 3 kB of a bundle', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { verifyWebhook } from '../../src/webhooks/index.ts'`,
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, minify: true, write: false },
    ...{ format: 'esm', platform: 'browser', target: 'es2023', logLevel: 'error' },
  })
  const [file] = outputFiles
  const bytes = gzipSync(file?.contents ?? '', { level: 9 }).length
  expect(file?.text).not.toContain('node:')
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX)
})
