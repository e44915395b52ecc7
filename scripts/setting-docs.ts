import {
  mayBeInFile,
  type Setting,
  type SettingGroup,
} from '../packages/server/src/base/setting.ts'
import { listSettings } from '../packages/server/src/process/config/settings.ts'

export function createSettingDocs(): string {
  const groups = listSettings()
  const secrets = groups
    .flatMap(({ settings }) => Object.entries(settings))
    .flatMap(([name, setting]) => (mayBeInFile(setting) ? `- \`${name}_FILE\`` : []))
  return `# Settings

Generated from \`packages/server/src/process/config/settings.ts\` and the settings of each payment
path. All settings are environment variables. The gateway validates them at startup and reports
every mistake at once. An empty value counts as unset. \`npx purser settings\` prints this list.

${groups.map(toSection).join('\n\n')}

## Secrets in files

A secret, and each setting of the first start, can also be set as the path of a file that contains
it:

${secrets.join('\n')}

The gateway ignores line breaks and spaces at both ends of the text. It refuses a file that it
cannot read, an empty file, a file of more than 64 KiB, and a file that is not text. It also refuses
a setting that has both forms. Each message names the variable, and none repeats the text.

## The log

The gateway writes its log to standard output: prose on a terminal, otherwise one JSON object per
line. The log contains no secrets. If the same error repeats, the gateway logs it once, and then
the count every 30 seconds. It logs once that the database became unreachable, and once that it is
back.
`
}

function toSection({ title, settings }: SettingGroup): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${defaultOf(setting)} | \`${setting.example}\` | ${descriptionOf(setting)} |`,
  )
  return `## ${title}

| Variable | Default | Example | Description |
|---|---|---|---|
${rows.join('\n')}`
}

function defaultOf({ default: value, defaultNote }: Setting): string {
  const parts = [value && `\`${value}\``, defaultNote]
  return parts.filter((part) => part !== undefined).join('; ') || 'none'
}

function descriptionOf({ description, guide }: Setting): string {
  return guide === undefined ? description : `${description} [More](${guide})`
}
