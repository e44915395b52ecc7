import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type LeashedProcess, spawnOnLeash } from '../leash.ts'
import type { LoopbackServer } from './loopback-server.ts'

const require = createRequire(import.meta.url)

/** The names that the packages with the program use for Node's architectures. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Foundry's node, or undefined if npm found no package with it for this platform. */
export function findAnvil(): string | undefined {
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch]}/package.json`
  try {
    // It is resolved from the package that depends on it, so that it is found wherever npm has
    // installed it.
    const fromAnvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    const program = join(dirname(fromAnvil.resolve(name)), 'bin', 'anvil')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

/**
 * The system chooses the port, so that two workers never use the same one; the program then prints
 * it.
 */
export async function startAnvil(program: string, chainId: number): Promise<LoopbackServer> {
  const parameters = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId)]
  const anvil = spawnOnLeash(program, parameters)
  const address = await readAddress(anvil)
  return { url: `http://${address}`, stop: () => stopAnvil(anvil) }
}

function readAddress(anvil: LeashedProcess): Promise<string> {
  let errors = ''
  anvil.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  return new Promise((resolve, reject) => {
    // The output is read to the end: the program logs every request, and would block on a full
    // pipe.
    createInterface({ input: anvil.stdout }).on('line', (line) => {
      const address = /Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    anvil.once('error', reject)
    anvil.once('exit', (code) => reject(new Error(`anvil ended with ${code}:\n${errors}`)))
  })
}

async function stopAnvil(anvil: LeashedProcess): Promise<void> {
  if (anvil.exitCode !== null || anvil.signalCode !== null) return
  const ended = new Promise((resolve) => anvil.once('exit', resolve))
  anvil.kill('SIGKILL')
  await ended
}
