// This is plain JavaScript, because the build runs it before anything is built.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Licenses under which code may be part of our packages or be installed with them. */
export const ALLOWED_LICENSES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
]

/** The folder of a package, at the end of the path of one of its files. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//
/** The comment with which bundlers mark code of a package that was bundled before it was published. */
const MARK = /^\/\/#region .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm

/**
 * Returns the license texts of all packages whose code is in a bundle, by the list that the bundler
 * wrote. Some packages contain code of further ones. Fails if a license is unknown or not allowed.
 */
export function toLicenses({ inputs, outputs }) {
  const used = Object.values(outputs).flatMap(({ inputs: parts }) =>
    Object.keys(parts).filter((path) => parts[path].bytesInOutput > 0),
  )
  const folders = used.flatMap((path) => {
    if (!(path in inputs)) throw new Error(`The bundle has code of ${path}, which it did not read.`)
    return [PACKAGE.exec(path)?.[1], ...marksIn(path)].filter((folder) => folder !== undefined)
  })
  return [...new Set(folders)].sort().map(toEntry).join('\n')
}

function marksIn(path) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(MARK)].map(([, name]) => `node_modules/${name}`)
}

function toEntry(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  )
  if (!ALLOWED_LICENSES.includes(license)) {
    throw new Error(`${name} ${version} has the license ${license}, which is not allowed.`)
  }
  const title = `${name} ${version} (${license})`
  return `${title}\n${'='.repeat(title.length)}\n\n${licenseOf(folder, license).trim()}\n`
}

function licenseOf(folder, license) {
  const file = readdirSync(join(ROOT, folder)).find((name) => /^licen[cs]e(\.|$)/i.test(name))
  if (file !== undefined) return readFileSync(join(ROOT, folder, file), 'utf8')
  // The text of this license names no author, and ours is the same.
  if (license === 'Apache-2.0') return readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  throw new Error(`${folder} has no file with its license.`)
}
