// This is plain JavaScript, because the build runs it before anything is built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SDK = fileURLToPath(new URL('../packages/sdk', import.meta.url))

/**
 * Bundles the entries under `exports` in package.json, with the modules that they share in files of
 * their own. The code of `@purser/audit` becomes part of the bundle, so that the package has no
 * dependencies. The packages that an adapter is for stay imports.
 */
async function bundle(folder) {
  const { exports, peerDependencies = {} } = JSON.parse(
    readFileSync(join(SDK, 'package.json'), 'utf8'),
  )
  await build({
    entryPoints: Object.values(exports).map((entry) => join(SDK, entry['@purser/source'])),
    outdir: folder,
    outbase: join(SDK, 'src'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: Object.keys(peerDependencies).flatMap((name) => [name, `${name}/*`]),
    // The maps contain the sources, because those of the audit package are not in this one.
    sourcemap: true,
    logLevel: 'warning',
  })
}

await bundle(process.argv[2])
