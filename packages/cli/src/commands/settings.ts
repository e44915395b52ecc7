import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'

/**
 * `purser settings`: lists every environment variable that the gateway reads. It opens no database.
 */
export function settings(command: Command): void {
  withExample(command, 'purser settings')
    .option('--json', 'print only a JSON array of groups, each with its settings')
    .action(list)
}

async function list({ json }: { readonly json?: true }): Promise<void> {
  const { listSettings } = await loadServer()
  if (json) return printJson(listSettings())
  const groups = listSettings().map(({ title, settings: all }) => {
    const entries = Object.entries(all).map(([name, setting]) => {
      const fallback = [setting.default, setting.defaultNote].filter((part) => part !== undefined)
      return [
        `  ${name}`,
        `      ${setting.description}`,
        `      Default: ${fallback.join('; ') || 'none'}. Example: ${setting.example}`,
        ...(setting.isSecret || setting.isInitial
          ? [`      ${name}_FILE can name a file with the value instead.`]
          : []),
      ].join('\n')
    })
    return [title, ...entries].join('\n')
  })
  process.stdout.write(`${groups.join('\n\n').replaceAll('`', '')}\n`)
}
