import type { Tool } from '@purser/sdk/tools'
import { onlyAgentOf, refusalOf, toolsOf } from './access.ts'
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from './mcp-libraries.ts'
import { whileShowingProgress } from './progress.ts'
import type { Session } from './session.ts'
import { toCallResult } from './tool-result.ts'

interface ToolCall {
  readonly name: string
  readonly arguments?: Record<string, unknown> | undefined
}

/** Runs a tool of the key. A tool of other keys gets a result that says why it is missing. */
export async function callTool(
  session: Session,
  { name, arguments: input = {} }: ToolCall,
  context: ServerContext,
): Promise<CallToolResult> {
  const { access, purser } = session
  const tool = toolsOf(access).find((it) => it.name === name)
  if (!tool) return toCallResult(notOffered(session, name))
  const signal = signalOf(context)
  return whileShowingProgress(session, context, tool, async () =>
    toCallResult(await tool.run(purser, withoutOwnAgent(session, input), { signal })),
  )
}

/** A client that hangs up cancels the call, also in revisions of the protocol without a message. */
function signalOf({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal
}

/**
 * Models add their own `agentId` in some calls and not in others. The gateway compares a repeated
 * purchase byte for byte, so the id of the only agent is always left out.
 */
function withoutOwnAgent({ access }: Session, input: Readonly<Record<string, unknown>>): object {
  const { agentId, ...rest } = input
  return agentId !== undefined && agentId === onlyAgentOf(access) ? rest : input
}

function notOffered({ access }: Session, name: string) {
  const summary = refusalOf(access, name)
  if (summary === undefined) {
    const names = toolsOf(access).map((tool: Tool) => tool.name)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${JSON.stringify(name.slice(0, 100))}. The tools are: ${names.join(', ')}.`,
    )
  }
  return { isError: true, summary, code: 'tool_not_offered', retryable: false }
}
