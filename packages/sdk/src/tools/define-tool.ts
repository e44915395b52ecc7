import { errorResult, type ToolError } from './error-result.ts'
import type { Tool, ToolClient, ToolContext, ToolHints, ToolResult } from './types.ts'
import { checkInput, type Input } from './validate.ts'

export interface ToolDefinition extends Omit<Tool, 'run'> {
  work(purser: ToolClient, input: Input, context: ToolContext): Promise<ToolResult>
}

/** The hints of a tool that only reads. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

export function defineTool({ work, ...tool }: ToolDefinition): Tool {
  return {
    ...tool,
    async run(purser, sent, context = {}) {
      const checked = checkInput(tool.inputSchema, sent)
      if ('mistakes' in checked) return badArguments(tool.name, checked.mistakes)
      const { agentId } = checked.input
      if (context.agentId && agentId !== undefined && agentId !== context.agentId) {
        return badArguments(tool.name, ['`agentId` is not your own. Leave it out.'])
      }
      try {
        const input = context.agentId ? withAgent(tool, checked.input, context) : checked.input
        return await work(purser, input, context)
      } catch (error) {
        return errorResult(error)
      }
    },
  }
}

function withAgent({ inputSchema }: Pick<Tool, 'inputSchema'>, input: Input, context: ToolContext) {
  return 'agentId' in inputSchema.properties ? { ...input, agentId: context.agentId } : input
}

function badArguments(name: string, mistakes: readonly string[]): ToolError {
  return {
    isError: true,
    code: 'invalid_arguments',
    summary: `${name} was not run. ${mistakes.join(' ')} Correct the arguments and call it again.`,
    retryable: true,
  }
}
