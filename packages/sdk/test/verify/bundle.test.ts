import { build } from 'esbuild'
import { expect, test } from 'vitest'

async function bundle(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...{ bundle: true, minify: true, write: false, metafile: true, conditions: ['@purser/source'] },
    ...{ format: 'esm', platform: 'browser', target: 'es2023', logLevel: 'error' },
  })
  return { text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) }
}

test('the code that verifies receipts runs in a browser: it uses nothing of Node', async () => {
  const { text, inputs } = await bundle(`export * from '../../src/verify/index.ts'`)
  expect(inputs.some((file) => file.includes('packages/audit/src/verify-proof.ts'))).toBe(true)
  expect(inputs.filter((file) => file.includes('/node/'))).toEqual([])
  expect(text).not.toMatch(/node:|\bBuffer\b|\bprocess\b/)
})

test('the main entry does not carry the code of the audit log', async () => {
  const { inputs } = await bundle(`export * from '../../src/index.ts'`)
  expect(inputs.filter((file) => file.includes('packages/audit'))).toEqual([])
})
