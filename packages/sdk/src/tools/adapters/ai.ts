import { jsonSchema, type Tool, tool } from 'ai'
import { TOOLS, type ToolClient, type ToolResult } from '../index.ts'
import { type ToolsOptions, toolsFor } from './options.ts'

export type { ToolsOptions } from './options.ts'

/**
 * Makes the tools for the AI SDK (`ai`).
 *
 * @example
 * const agent = new ToolLoopAgent({ model, instructions: INSTRUCTIONS, tools: aiTools(purser) })
 */
export function aiTools(
  purser: ToolClient,
  options: ToolsOptions = {},
): Record<string, Tool<unknown, ToolResult>> {
  const entries = toolsFor(TOOLS, options).map((it) => [
    it.name,
    tool<unknown, ToolResult>({
      title: it.title,
      description: it.description,
      inputSchema: jsonSchema(it.inputSchema as Parameters<typeof jsonSchema>[0]),
      execute: (input, { abortSignal }) =>
        it.run(purser, input, { ...options, signal: abortSignal }),
    }),
  ])
  return Object.fromEntries(entries)
}
