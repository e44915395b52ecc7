import type { Tool } from '@purser/sdk/tools'
import { type KeyAccess, onlyAgentOf, toolsOf } from './access.ts'
import { callTool } from './call-tool.ts'
import { instructionsFor } from './instructions.ts'
import { type JSONObject, Server } from './mcp-libraries.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import type { Session } from './session.ts'
import { OUTPUT_SCHEMA } from './tool-result.ts'

/** The rights of the key in the answer to `tools/list`, for the server over stdio. */
export const ACCESS_META = 'purser/key'

/** Builds the server for one caller. It keeps nothing between two calls. */
export function createServer(session: Session): Server {
  const { access, version } = session
  const server = new Server(
    { name: 'purser', title: 'Purser', version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor(access) },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: toolsOf(access).map((tool) => toListed(access, tool)),
    _meta: { [ACCESS_META]: { scopes: access.scopes, agentIds: access.agentIds } },
  }))
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool(session, params, context),
  )
  server.setRequestHandler('resources/list', () => ({ resources: listResources(access) }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: listTemplates(access),
  }))
  server.setRequestHandler('resources/read', ({ params }, context) =>
    readResource(session, params.uri, context),
  )
  return server
}

/** The tools that list the data of all agents of the key if the call names none. */
const AGENT_IS_FILTER: readonly string[] = ['list_transactions']

function toListed(access: KeyAccess, { name, title, description, inputSchema, hints }: Tool) {
  const { properties, required, ...rest } = inputSchema
  const { agentId, ...others } = properties
  // A key with one agent leaves nothing to choose.
  const isOnly = onlyAgentOf(access) !== undefined
  const shown = isOnly ? others : properties
  const needsAgent = agentId !== undefined && !isOnly && !AGENT_IS_FILTER.includes(name)
  return {
    ...{ name, title, description },
    inputSchema: {
      ...rest,
      properties: shown as unknown as JSONObject,
      required: [...required, ...(needsAgent ? ['agentId'] : [])],
    },
    outputSchema: OUTPUT_SCHEMA as unknown as { type: 'object' },
    annotations: { title, ...hints },
  }
}
