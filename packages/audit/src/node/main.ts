import { readFile } from 'node:fs/promises'
import { toFindingsText } from '../verify/findings-text.ts'
import { readCommandLine } from './command-line.ts'
import { HELP, VERIFY_HELP } from './help-text.ts'
import { verifyFile } from './verify-file.ts'

/** Exit codes: 0 everything fits, 1 something does not fit, 2 no result. */
async function main([command, ...args]: readonly string[]): Promise<number> {
  switch (command) {
    case 'verify':
      return verify(args)
    case '--help':
    case '-h':
      return print(HELP)
    case '--version':
      return print(`${await readVersion()}\n`)
    case undefined:
      process.stderr.write(HELP)
      return 2
    default:
      process.stderr.write(`error: unknown command '${command}'\n(purser-audit --help)\n`)
      return 2
  }
}

async function verify(args: readonly string[]): Promise<number> {
  const request = readCommandLine(args)
  if (request.kind === 'help') return print(VERIFY_HELP)
  if (request.kind === 'mistake') return undecided(request.text)
  const tell = (text: string): void => void process.stderr.write(text)
  const outcome = await verifyFile(request.file, request.files, tell)
  if (request.isJson) {
    print(`${JSON.stringify(outcome)}\n`)
    return EXIT_CODES[outcome.kind]
  }
  switch (outcome.kind) {
    case 'fits':
      return print(toFindingsText(outcome.findings, outcome.compared))
    case 'mismatch':
      process.stderr.write(`purser-audit: ${outcome.text}\n`)
      return 1
    case 'undecided':
      return undecided(`error: ${outcome.text}`)
  }
}

const EXIT_CODES = { fits: 0, mismatch: 1, undecided: 2 }

function undecided(text: string): number {
  process.stderr.write(`${text}\n(purser-audit verify --help shows the options)\n`)
  return 2
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

async function readVersion(): Promise<string> {
  const path = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(path, 'utf8'))
  return version
}

/** Node would end with exit code 1 here, which means that the export does not fit. */
function endUnexpectedly(error: unknown): never {
  const [line] = String(error).split('\n')
  process.stderr.write(`purser-audit: ${line}\n`)
  process.exit(2)
}

// Rejected promises and errors of streams, such as a closed standard output, end here too.
process.on('uncaughtException', endUnexpectedly)
process.exitCode = await main(process.argv.slice(2))
