import { Argument, type Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { SHELLS, type Shell, toScript } from '../completion/script.ts'

const NOTES = `
Until the packages are published, define the command first, with the path of
your checkout:
  bash, zsh:  purser() { node /path/to/purser/packages/cli/bin/purser.js "$@"; }
  fish:       function purser; node /path/to/purser/packages/cli/bin/purser.js $argv; end

Then install the completion:
  bash:  purser completion bash > ~/.local/share/bash-completion/completions/purser
  zsh:   purser completion zsh > ~/.purser-completion; echo '. ~/.purser-completion' >> ~/.zshrc
  fish:  purser completion fish > ~/.config/fish/completions/purser.fish`

/** `purser completion <shell>`: prints the script that completes commands and options. */
export function completion(command: Command, loadAll: () => Promise<Command>): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', NOTES)
    .action(async (shell: Shell) => {
      process.stdout.write(toScript(await loadAll(), shell))
    })
  withExample(command, 'source <(purser completion bash)')
}
