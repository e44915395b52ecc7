import type { LogEvent } from '../packages/server/src/base/log/define-events.ts'
import { PATHS } from '../packages/server/src/paths/index.ts'
import { listLogEvents } from '../packages/server/src/paths/path.ts'
import { wrapText } from './wrap-text.ts'

export function createLogEventDocs(): string {
  const events = listLogEvents(PATHS)
  const sections = [...new Set(events.map(areaOf))].sort().map((area) => {
    const entries = events.filter((event) => areaOf(event) === area).map(toEntry)
    return `## ${area}\n\n${entries.join('')}`
  })
  return `# Log events

Generated from \`packages/server/src/base/log/events/\` and the log events of each path.

The gateway writes one JSON object per line to standard output, or prose if standard output is a
terminal. Every line has the field \`event\` with one of the codes below, \`msg\` with its message,
and \`level\` (20 debug, 30 info, 40 warn, 50 error). Search and alert by \`event\`: a code never
changes, while messages may be reworded. In a message, \`{name}\` stands for the value of that field.

Fields that many lines share: \`err\` is the cause, \`organizationId\`, \`transactionId\` and
\`requestId\` say what the line is about. A line that repeats within 30 s with the same cause is
counted and written once more, with \`repeated\`.

${sections.join('\n')}`
}

function areaOf({ code }: LogEvent): string {
  return code.slice(0, code.indexOf('.'))
}

function toEntry({ code, level, message, meaning, action }: LogEvent): string {
  const text = `**\`${code}\`** (${level}): "${message}" ${meaning} *What to do:* ${action}`
  return `${wrapText(text, '- ')}\n`
}
