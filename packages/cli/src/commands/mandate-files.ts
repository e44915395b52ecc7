import type { Command } from 'commander'
import { type Gateway, onGateway, withGateway } from '../api/gateway-command.ts'
import type { ApplyOptions } from '../mandates/apply-files.ts'
import type { TestOptions } from '../mandates/mandate-files.ts'

interface LintOptions {
  readonly json?: true
  readonly offline?: true
}

type Files = readonly string[]

const FILES = 'files, or folders with files, in YAML or JSON; docs/guide-mandates-as-files.md'
const READ = 'agents:read, mandates:read and gateway:read'
const WRITE = 'agents:read, mandates:read, mandates:write and gateway:read'

/** The subcommands of `purser mandates` that read files. They load the YAML parser only when run. */
export function mandateFiles(group: Command): void {
  withGateway(group.command('lint'), {
    scope: READ,
    example: 'purser mandates lint mandates/*.yaml --offline',
  })
    .description('check mandate files; names the file, line and field of each mistake')
    .argument('<files...>', FILES)
    .option('--offline', 'check only what needs no gateway, and no API key')
    .action(lint)
  withGateway(group.command('test'), {
    scope: READ,
    example: 'purser mandates test mandates/*.yaml --junit report.xml',
    notes: 'Exit codes: 0 all cases passed, 1 a case failed or the files have mistakes.',
  })
    .description('judge the test cases of mandate files by simulations')
    .argument('<files...>', FILES)
    .option('--junit <file>', 'also write the results as JUnit XML, for CI systems')
    .option('--live', 'count spent budgets, parents and dates of the existing mandates')
    .action(
      onGateway(async (gateway: Gateway, files: Files, options: TestOptions) =>
        (await import('../mandates/mandate-files.ts')).testFiles(gateway, files, options),
      ),
    )
  withGateway(group.command('diff'), {
    scope: READ,
    example: 'purser mandates diff mandates/*.yaml',
    notes:
      'Exit codes: 0 nothing to do, 1 the files have mistakes, 5 apply would change\nsomething.',
  })
    .description('show the plan that would bring the organization to the state of the files')
    .argument('<files...>', FILES)
    .action(
      onGateway(async (gateway: Gateway, files: Files, options: ApplyOptions) =>
        (await import('../mandates/apply-files.ts')).diffFiles(gateway, files, options),
      ),
    )
  changers(group)
}

function changers(group: Command): void {
  withGateway(group.command('draft'), {
    scope: WRITE,
    example: 'purser mandates draft mandates/research.yaml',
  })
    .description('make drafts from mandate files; nothing that is active changes')
    .argument('<files...>', FILES)
    .action(
      onGateway(async (gateway: Gateway, files: Files, options: ApplyOptions) =>
        (await import('../mandates/apply-files.ts')).draftFiles(gateway, files, options),
      ),
    )
  withGateway(group.command('apply'), {
    scope: WRITE,
    example: 'purser mandates apply mandates/*.yaml',
    notes:
      'Shows the plan first, and asks before it activates a mandate or raises a\nbudget. It changes nothing that the files do not name, and revokes and deletes\nnothing. Exit codes: 0 done, or nothing to do; 1 refused, or stopped because\nsomething changed since the plan was made.',
  })
    .description('bring the organization to the state of mandate files')
    .argument('<files...>', FILES)
    .option('--yes', 'do not ask; required without a terminal')
    .option('--plan <id>', 'carry out only this plan, such as one that "diff" has shown')
    .action(
      onGateway(async (gateway: Gateway, files: Files, options: ApplyOptions) =>
        (await import('../mandates/apply-files.ts')).applyFiles(gateway, files, options),
      ),
    )
}

async function lint(files: Files, options: LintOptions, command: Command): Promise<void> {
  const { lintFiles, lintOffline } = await import('../mandates/mandate-files.ts')
  if (options.offline) return lintOffline(files, options)
  return onGateway(lintFiles)(files, options, command)
}
