import type { Api } from '../generated/tree.ts'
import type { InputSchema } from './schema.ts'

/** The parts of a `Purser` client that the tools call. */
export type ToolClient = Pick<
  Api,
  'gateway' | 'x402' | 'agents' | 'transactions' | 'approvals' | 'analytics'
>

/** What the program decides about a call, and the model cannot change. */
export interface ToolContext {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
  /**
   * The agent that the tools act for. Set it if the API key is not bound to one agent: the model
   * then neither spends nor reads for others.
   */
  readonly agentId?: string | undefined
  /** The longest wait for a person, in seconds: at most 50, which is the default. */
  readonly waitSecondsMax?: number | undefined
}

/** The result of a tool, as JSON for the model. */
export interface ToolResult {
  /** True if the tool could not do its work. A rejected spend is not an error. */
  readonly isError: boolean
  /** The result in a few sentences, and what to do next. */
  readonly summary: string
  readonly [field: string]: unknown
}

/** Hints for programs that show or confirm calls; the names are those of MCP. */
export interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** A tool for a model, without ties to any framework. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** What the tool does and when to use it, for the model. */
  readonly description: string
  readonly inputSchema: InputSchema
  readonly hints: ToolHints
  /** Runs the tool. Mistakes and errors of the API are results too: the promise never rejects. */
  run(purser: ToolClient, input: unknown, context?: ToolContext): Promise<ToolResult>
}
