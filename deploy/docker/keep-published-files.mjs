// A step of the Dockerfile: replaces each package with the files that it publishes. Removes from every
// package.json the packages that only tests, the build and other frameworks need, so that `npm prune`
// removes them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKED = 'packed'

const root = readManifest('.')
const published = root.workspaces.filter((folder) => !readManifest(folder).private)
for (const folder of published) {
  mkdirSync(PACKED)
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', PACKED]
  execFileSync('npm', [...args, `--workspace=${folder}`], { stdio: 'ignore' })
  const [tarball] = readdirSync(PACKED)
  execFileSync('tar', ['xzf', join(PACKED, tarball), '-C', PACKED])
  rmSync(folder, { recursive: true })
  renameSync(join(PACKED, 'package'), folder)
  rmSync(PACKED, { recursive: true })
}
// The build of the console is in the package of the server.
for (const folder of root.workspaces.filter((it) => !published.includes(it))) {
  rmSync(folder, { recursive: true })
}
writeManifest('.', { ...root, workspaces: published })
for (const folder of published) writeManifest(folder, readManifest(folder))

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function writeManifest(folder, manifest) {
  const { devDependencies: _, peerDependencies: __, peerDependenciesMeta: ___, ...rest } = manifest
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(rest, null, 2)}\n`)
}
