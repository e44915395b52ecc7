import { type FunctionTool, tool } from '@openai/agents'
import { TOOLS, type ToolClient } from '../index.ts'
import { type ToolsOptions, toolsFor } from './options.ts'

export type { ToolsOptions } from './options.ts'

/** The schema of the package for tools with optional arguments. */
interface LooseSchema {
  type: 'object'
  properties: Record<string, Record<string, unknown>>
  required: string[]
  additionalProperties: true
}

/**
 * Makes the tools for the OpenAI Agents SDK (`@openai/agents`).
 *
 * @example
 * const agent = new Agent({ name: 'Buyer', instructions: INSTRUCTIONS, tools: openaiAgentsTools(purser) })
 */
export function openaiAgentsTools(
  purser: ToolClient,
  options: ToolsOptions = {},
): FunctionTool<unknown, LooseSchema, string>[] {
  return toolsFor(TOOLS, options).map((it) =>
    tool<LooseSchema, unknown, string>({
      name: it.name,
      description: it.description,
      // In strict mode, every argument would be required.
      strict: false,
      parameters: it.inputSchema as unknown as LooseSchema,
      execute: async (input, _, details) =>
        JSON.stringify(await it.run(purser, input, { ...options, signal: details?.signal })),
    }),
  )
}
