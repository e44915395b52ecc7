import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { build } from 'esbuild'
import { createPublicClient } from 'viem'
import { expect, test } from 'vitest'
import * as x402 from '../src/paths/x402/x402-libraries.ts'
import * as passkeys from '../src/people/passkey-libraries.ts'
import { buildPrograms } from './support/built-programs.ts'

test('the tests run the bundled code of x402 and passkeys, and not their packages', () => {
  expect(x402.createPublicClient).toBeTypeOf('function')
  expect(x402.createPublicClient).not.toBe(createPublicClient)
  expect(passkeys.verifyRegistrationResponse).toBeTypeOf('function')
  expect(passkeys.verifyRegistrationResponse).not.toBe(verifyRegistrationResponse)
})

test.each([
  ['audit', ['index.js', 'command.js', 'purser-audit.js']],
  ['sdk', ['index.js', 'verify/index.js', 'x402/index.js', 'tools/index.js']],
  ['mcp', ['index.js', 'stdio.js']],
  ['server', ['index.js', 'main.js', 'prepare.js']],
  ['cli', ['main.cjs', 'packages.cjs']],
])('the built files of %s import only packages that it installs', async (name, files) => {
  const dist = await builtFolder(name)
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(join(dist, '../package.json'), 'utf8'),
  )
  const imported = await packagesImportedBy(files.map((file) => join(dist, file)))
  const installed = Object.keys({ ...dependencies, ...peerDependencies })
  expect(imported.filter((one) => !installed.includes(one))).toEqual([])
})

test.each([
  ['server', 'x402-libraries', ['viem', 'ox', 'abitype', '@noble/curves', '@x402/evm', 'zod']],
  ['server', 'passkey-libraries', ['@simplewebauthn/server', '@peculiar/x509', 'tslib']],
  // The last two were bundled into the package of the protocol before it was published.
  ['mcp', 'mcp-libraries', ['@modelcontextprotocol/server', 'zod', 'ajv', 'fast-uri']],
])('the licenses of packages in %s/dist/%s.js are beside it', async (name, file, packages) => {
  const text = readFileSync(join(await builtFolder(name), `${file}.LICENSES.txt`), 'utf8')
  for (const one of packages) {
    const start = text.search(new RegExp(`^${one} \\d[\\d.]* \\(`, 'm'))
    expect(start, one).toBeGreaterThanOrEqual(0)
    expect(text.slice(start, start + 2_000)).toMatch(/Permission|Redistribution|Apache License/)
  }
})

async function builtFolder(name: string): Promise<string> {
  const { gateway } = await buildPrograms()
  return join(gateway, '../../..', name, 'dist')
}

/** Returns the names of the packages that the files import, also later and through each other. */
async function packagesImportedBy(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'unused',
    logLevel: 'error',
  })
  const paths = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !/^(node:|\.)/.test(path))
    .map(({ path }) => path)
  const names = paths.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)
  return [...new Set(names)].filter((name) => !builtinModules.includes(name)).sort()
}
