import type { CodeLang } from '../../ui/code.tsx'
import type { Expected } from './expected.ts'

/** The values of the placeholders in the snippets. */
export interface Target {
  /** The address of the gateway, without a path. */
  readonly url: string
  readonly agentId: string
  readonly spend: ExampleSpend
}

export interface ExampleSpend {
  readonly amount: number
  readonly vendor: string
  readonly category: string
}

/** A piece of code to run as it is. */
export interface Block {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly code: string
  readonly lang: CodeLang
  /** The event that proves that the code ran. A step that calls nothing has none. */
  readonly expected?: Expected
}

/** The variable of `environmentBlock`, as the address of a command. */
export const BASE_URL = '$PURSER_BASE_URL'

/** The key is typed at a prompt, so that no shell history has it. */
export function environmentBlock({ url }: Target): Block {
  return {
    ...{ id: 'environment', title: 'Set the address and the key', lang: 'bash' },
    text: 'Paste the key after the second line and press Enter. The shell does not show it.',
    code: `export PURSER_BASE_URL='${url}'\nread -rs PURSER_API_KEY && export PURSER_API_KEY`,
  }
}
