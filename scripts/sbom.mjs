// Writes the bill of materials of an installation (CycloneDX), and prints its licenses. Fails if one of
// them is not allowed.
//
//   node scripts/sbom.mjs <folder of the installation> <file to write>
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALLOWED_LICENSES } from './licenses.mjs'

/** The fonts of the console. Their license allows to pass them on with any software. */
const FONT_LICENSE = 'OFL-1.1'
/** The line before each license text: `viem 2.57.1 (MIT)`, or `## react - 19.3.1 (MIT)`. */
const TITLE = /^(?:## )?((?:@[\w.-]+\/)?[\w.-]+) (?:- )?(\d\S*) \(([^)]+)\)$/gm

const [folder, output] = process.argv.slice(2)
const bill = JSON.parse(
  execFileSync('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
)
const bundled = findBundled(join(folder, 'node_modules/@purser'))
const components = [...bill.components, ...bundled]
writeFileSync(output, `${JSON.stringify({ ...bill, components }, null, 2)}\n`)

const licenses = components.map(licenseOf)
for (const license of [...new Set(licenses)].sort()) {
  process.stdout.write(`${license}: ${licenses.filter((one) => one === license).length}\n`)
}
process.stdout.write(
  `${components.length} packages, of which ${bundled.length} are in bundles: ${output}\n`,
)
const refused = components.filter((one) => !isAllowed(licenseOf(one)))
for (const one of refused) {
  process.stderr.write(`${one.name} ${one.version} has the license ${licenseOf(one)}.\n`)
}
if (refused.length > 0) process.exitCode = 1

/** Returns the packages whose code is inside ours, by the license files that the builds write. */
function findBundled(packages) {
  const files = readdirSync(packages, { recursive: true }).filter((name) =>
    /LICENSES\.(txt|md)$/.test(name),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(join(packages, file), 'utf8').matchAll(TITLE)].map(toComponent),
  )
  return [...new Map(found.map((one) => [one.purl, one])).values()]
}

function toComponent([, name, version, id]) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const scope = { type: 'library', name, version, scope: 'required' }
  const licenses = [{ license: { id } }]
  const properties = [{ name: 'purser:bundled', value: 'true' }]
  return { 'bom-ref': `${name}@${version}#bundled`, ...scope, purl, licenses, properties }
}

/** A package can have one license, or an expression of several. */
function licenseOf({ licenses = [] }) {
  const names = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name)
  return names.join(' AND ') || 'none'
}

function isAllowed(text) {
  return [...ALLOWED_LICENSES, FONT_LICENSE].includes(text)
}
