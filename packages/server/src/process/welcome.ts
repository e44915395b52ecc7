import { LOG_EVENTS, type LogEventCode } from '../base/log/events/index.ts'
import { fillIn } from '../base/log/log-event.ts'

/** The data for the message at the end of the start. */
export interface Welcome {
  /** The URL on which it listens, such as http://127.0.0.1:3000. */
  readonly url: string
  /** The address for people, such as http://localhost:3000. */
  readonly publicUrl: string
  readonly engine: 'embedded' | 'postgres'
  readonly hasOrganization: boolean
  /** The file with the first key, if this start has created it. */
  readonly firstKeyFile: string | undefined
  /** The file with the first key, if an earlier start has left it. */
  readonly keptKeyFile: string | undefined
  /** The file with the setup token of the first owner, while there is no member. */
  readonly setupFile: string | undefined
  readonly isDevelopment: boolean
}

/**
 * Formats the message for a person at a terminal. `setupToken` is the content of the set-up file:
 * in development the message then has the link that makes the reader the owner. In production, and
 * in a log, only the file is named, so that no log contains the token.
 */
export function toWelcome(welcome: Welcome, setupToken?: string): string {
  const next = findNextStep(welcome)
  const link =
    welcome.isDevelopment && setupToken ? `${welcome.publicUrl}/setup#${setupToken}` : undefined
  const facts = toFacts(welcome).map((fact) =>
    fact.event === 'process.owner_missing' && link !== undefined
      ? `No member can sign in yet. To become the owner, open ${link}`
      : toSentence(fact),
  )
  return [...facts, ...(next ? [toSentence(next), '', ...next.shell, ''] : [])].join('\n')
}

/** A log line, or a sentence at a terminal. */
interface Fact {
  readonly event: LogEventCode
  readonly fields: Readonly<Record<string, string>>
}

export function toSentence({ event, fields }: Fact): string {
  return fillIn(LOG_EVENTS[event].message, fields)
}

export function toFacts(welcome: Welcome): Fact[] {
  const { url, engine, hasOrganization, firstKeyFile, setupFile } = welcome
  return [
    { event: 'process.listening', fields: { url } },
    ...toFact('process.owner_missing', { setupFile }),
    ...toFact('process.organization_created', { keyFile: firstKeyFile }),
    ...toFact('process.organization_missing', {
      how: hasOrganization ? undefined : HOW_TO_CREATE[engine],
    }),
  ]
}

/** Returns no fact if the field has no value. */
function toFact(event: LogEventCode, field: Readonly<Record<string, string | undefined>>): Fact[] {
  return Object.entries(field).flatMap(([name, value]) =>
    value === undefined ? [] : [{ event, fields: { [name]: value } }],
  )
}

/** Lines to paste into a shell. */
interface NextStep extends Fact {
  readonly shell: readonly string[]
}

export function findNextStep(welcome: Welcome): NextStep | undefined {
  const { url, engine, firstKeyFile, keptKeyFile, isDevelopment } = welcome
  if (!isDevelopment) return undefined
  if (firstKeyFile !== undefined) {
    const shell = [toExport(firstKeyFile), `export API=${quote(`${url}/api/v1`)}`, ...FIRST_SPEND]
    return { event: 'process.first_steps', fields: { shell: shell.join('\n') }, shell }
  }
  // With PostgreSQL, the data folder may hold the key of a different database.
  if (keptKeyFile === undefined || engine === 'postgres') return undefined
  const shell = toExport(keptKeyFile)
  return { event: 'process.first_key', fields: { shell }, shell: [shell] }
}

const ON_START = 'or start with  PURSER_INIT_ORG="My company"  in the environment'
const HOW_TO_CREATE = {
  postgres: `run  npx purser init --org "My company"  with the same settings, ${ON_START}`,
  embedded: `stop this process (Ctrl-C), run  npx purser init --org "My company"  and start again, ${ON_START}`,
}

function toExport(keyFile: string): string {
  return `export KEY="$(cat ${quote(keyFile)})"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Works in any POSIX shell, with nothing but curl and Node. It has no comments, because zsh does
 * not accept them at its prompt. A test compares the README with these lines.
 */
export const FIRST_SPEND = [
  `call() { at=$1; shift; curl -sS "$API/$at" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }`,
  `id_of() { node -p 'JSON.parse(require("fs").readFileSync(0)).id'; }`,
  `AGENT=$(call agents -d '{"name": "Research agent"}' | id_of)`,
  `MANDATE=$(call mandates -d '{"agentId": "'$AGENT'", "budgetTotal": 100, "budgetPeriod": "monthly", "rules": [{"type": "amount", "max": 25}]}' | id_of)`,
  'call "mandates/$MANDATE/activate" -X POST; echo',
  `call gateway/evaluate -d '{"agentId": "'$AGENT'", "amount": 12.5, "vendor": "api.openai.com", "category": "llm"}'; echo`,
]
