import { type DynamicStructuredTool, tool } from '@langchain/core/tools'
import { TOOLS, type ToolClient } from '../index.ts'
import { type ToolsOptions, toolsFor } from './options.ts'

export type { ToolsOptions } from './options.ts'

/**
 * Makes the tools for LangChain and LangGraph (`@langchain/core`).
 *
 * @example
 * const agent = createAgent({ model, systemPrompt: INSTRUCTIONS, tools: langchainTools(purser) })
 */
export function langchainTools(
  purser: ToolClient,
  options: ToolsOptions = {},
): DynamicStructuredTool[] {
  return toolsFor(TOOLS, options).map(
    (it) =>
      tool(
        async (input: unknown, { signal }: { signal?: AbortSignal } = {}) =>
          JSON.stringify(await it.run(purser, input, { ...options, signal })),
        {
          name: it.name,
          description: it.description,
          // LangChain checks the arguments itself; its error should name the mistake.
          verboseParsingErrors: true,
          schema: it.inputSchema as object,
        },
      ) as unknown as DynamicStructuredTool,
  )
}
