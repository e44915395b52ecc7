import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { buildPrograms } from '../../../server/test/support/built-programs.ts'

/** A result of a tool, as the tests read it. */
export interface CalledTool {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

interface CallOptions {
  readonly signal?: AbortSignal
}

/** The part of both generations of clients that the tests use. */
export interface McpClient {
  tools(): Promise<readonly ListedTool[]>
  call(name: string, input: object, options?: CallOptions): Promise<CalledTool>
  resources(): Promise<readonly { readonly uri: string }[]>
  read(uri: string): Promise<string>
  instructions(): string
  close(): Promise<void>
}

interface ListedTool {
  readonly name: string
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
  }
  readonly outputSchema?: object
  readonly annotations?: Readonly<Record<string, unknown>>
}

interface Target {
  readonly baseUrl: string
  readonly apiKey: string
}

const SELF = { name: 'test', version: '1.0.0' }

/** How a test reaches the server: the generation of the client, and the transport. */
type Way = `${'v1' | 'v2'} over ${'HTTP' | 'stdio'}`

/** Connects a client, and closes it when the test ends. */
export async function connect(way: Way, target: Target): Promise<McpClient> {
  const client = way.startsWith('v1') ? await connectV1(way, target) : await connectV2(way, target)
  onTestFinished(() => client.close())
  return client
}

async function connectV2(way: Way, target: Target): Promise<McpClient> {
  const client = new Client(SELF, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = way.endsWith('HTTP')
    ? new StreamableHTTPClientTransport(new URL(`${target.baseUrl}/mcp`), headersOf(target))
    : new StdioClientTransport(await programOf(target))
  await client.connect(transport)
  return wrap(client as unknown as AnyClient)
}

async function connectV1(way: Way, target: Target): Promise<McpClient> {
  const client = new ClientV1(SELF)
  const transport = way.endsWith('HTTP')
    ? new HttpV1(new URL(`${target.baseUrl}/mcp`), headersOf(target))
    : new StdioV1(await programOf(target))
  await client.connect(transport as Parameters<ClientV1['connect']>[0])
  return wrap({
    ...bind(client),
    // The second generation has no argument for the schema of the answer.
    callTool: (params, options) => client.callTool(params, undefined, options),
  } as AnyClient)
}

function bind(client: ClientV1) {
  return {
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    readResource: (params: { uri: string }) => client.readResource(params),
    getInstructions: () => client.getInstructions(),
    close: () => client.close(),
  }
}

interface AnyClient {
  listTools(): Promise<{ tools: readonly ListedTool[] }>
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options?: CallOptions,
  ): Promise<unknown>
  listResources(): Promise<{ resources: readonly { uri: string }[] }>
  readResource(params: { uri: string }): Promise<{ contents: readonly unknown[] }>
  getInstructions(): string | undefined
  close(): Promise<void>
}

function wrap(client: AnyClient): McpClient {
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: { ...input } }, options)) as CalledTool,
    resources: async () => (await client.listResources()).resources,
    async read(uri) {
      const [first] = (await client.readResource({ uri })).contents as { text: string }[]
      return first?.text ?? ''
    },
    instructions: () => client.getInstructions() ?? '',
    close: () => client.close(),
  }
}

function headersOf({ apiKey }: Target) {
  return { requestInit: { headers: { authorization: `Bearer ${apiKey}` } } }
}

/** The command that desktop clients start. */
async function programOf({ baseUrl, apiKey }: Target) {
  const { cli } = await buildPrograms()
  return {
    command: process.execPath,
    args: [cli, 'mcp'],
    env: { PURSER_API_KEY: apiKey, PURSER_BASE_URL: baseUrl },
    stderr: 'inherit' as const,
  }
}
