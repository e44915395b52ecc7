/** What a person is told who has started the gateway. */
export interface Welcome {
  /** Where it listens, such as http://127.0.0.1:3000. */
  readonly url: string
  readonly engine: 'embedded' | 'postgres'
  readonly hasOrganization: boolean
  /** The file with the first key, if this start has made it. */
  readonly firstKeyFile: string | undefined
  /** The file with the first key, if an earlier start has left it. */
  readonly keptKeyFile: string | undefined
  /** The file with the token of the first owner, while there is no member. */
  readonly setupFile: string | undefined
  readonly isDevelopment: boolean
}

/** For a person at a terminal. */
export function toWelcome(welcome: Welcome): string {
  const next = findNextStep(welcome)
  return [...toFacts(welcome), ...(next ? [next.said, '', ...next.shell, ''] : [])].join('\n')
}

/** One sentence each, so that a log can have a line for each. */
export function toFacts(welcome: Welcome): string[] {
  const { url, engine, hasOrganization, firstKeyFile } = welcome
  return [
    `Purser listens on ${url}  (API at ${url}/api/v1, its document at ${url}/openapi.json)`,
    ...toSetup(welcome),
    ...(firstKeyFile === undefined
      ? []
      : [`The first organization was created. Its API key is in ${firstKeyFile}`]),
    ...(hasOrganization ? [] : [HOW_TO_CREATE[engine]]),
  ]
}

/** Lines to be pasted into a shell. */
interface NextStep {
  readonly said: string
  readonly shell: readonly string[]
}

export function findNextStep(welcome: Welcome): NextStep | undefined {
  const { url, engine, firstKeyFile, keptKeyFile, isDevelopment } = welcome
  if (!isDevelopment) return undefined
  if (firstKeyFile !== undefined) {
    return {
      said: 'For a first agent, mandate and spend, paste this into another terminal:',
      shell: [toExport(firstKeyFile), `export API=${quote(`${url}/api/v1`)}`, ...FIRST_SPEND],
    }
  }
  // A folder that is not the database's own may hold the key of another one.
  if (keptKeyFile === undefined || engine === 'postgres') return undefined
  return { said: 'To use the first key:', shell: [toExport(keptKeyFile)] }
}

function toSetup({ setupFile }: Welcome): string[] {
  if (setupFile === undefined) return []
  return [
    `Nobody can sign in yet: docs/guide-people.md says how the first owner does it, with the token in ${setupFile}`,
  ]
}

const HOW_TO_CREATE = {
  postgres: toHowToCreate('run  npx purser init --org "My company"  with the same settings,'),
  embedded: toHowToCreate(
    'stop this process (Ctrl-C), run  npx purser init --org "My company"  and start again,',
  ),
}

function toHowToCreate(how: string): string {
  return `There is no organization yet. To make the first one, ${how} or start with  PURSER_INIT_ORG="My company"  in the environment.`
}

function toExport(keyFile: string): string {
  return `export KEY="$(cat ${quote(keyFile)})"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * For any POSIX shell, with nothing but curl and Node. It has no comments, because zsh does not take
 * them at its prompt. A test holds the README to these lines.
 */
export const FIRST_SPEND = [
  `call() { at=$1; shift; curl -sS "$API/$at" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }`,
  `id_of() { node -p 'JSON.parse(require("fs").readFileSync(0)).id'; }`,
  `AGENT=$(call agents -d '{"name": "Research agent"}' | id_of)`,
  `MANDATE=$(call mandates -d '{"agentId": "'$AGENT'", "budgetTotal": 100, "budgetPeriod": "monthly", "rules": [{"type": "amount", "max": 25}]}' | id_of)`,
  'call "mandates/$MANDATE/activate" -X POST; echo',
  `call gateway/evaluate -d '{"agentId": "'$AGENT'", "amount": 12.5, "vendor": "api.openai.com", "category": "llm"}'; echo`,
]
