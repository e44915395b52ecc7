import { BASE_URL, type Block, environmentBlock, type Target } from './block-shape.ts'

const KEY = 'psr_…'

/** Clients replace a variable of this form themselves. */
const variable = (name: string) => `Bearer \${${name}}`

/** Settings of MCP clients. */
export function mcpBlocks(target: Target): readonly Block[] {
  const { agentId, spend } = target
  const url = `${target.url}/mcp`
  return [
    environmentBlock(target),
    {
      ...{ id: 'claude-code', title: 'Claude Code', lang: 'bash' },
      text: 'Use a key that is bound to this agent. With any other key, a model can read but not spend.',
      code: `claude mcp add --transport http purser "${BASE_URL}/mcp" \\\n  --header "Authorization: Bearer $PURSER_API_KEY"`,
    },
    {
      ...{ id: 'cursor', title: 'Cursor', lang: 'json' },
      text: 'Save it as .cursor/mcp.json, and set PURSER_API_KEY in the environment of Cursor.',
      code: jsonOf({
        mcpServers: {
          purser: { url, headers: { Authorization: variable('env:PURSER_API_KEY') } },
        },
      }),
    },
    {
      ...{ id: 'vs-code', title: 'VS Code', lang: 'json' },
      text: 'Save it as .vscode/mcp.json. VS Code asks for the key once and stores it.',
      code: jsonOf({
        inputs: [
          {
            ...{ type: 'promptString', id: 'purser-key' },
            ...{ description: 'Purser API key', password: true },
          },
        ],
        servers: {
          purser: {
            ...{ type: 'http', url },
            headers: { Authorization: variable('input:purser-key') },
          },
        },
      }),
    },
    {
      ...{ id: 'claude-desktop', title: 'Claude Desktop', lang: 'json' },
      text: 'Add it to claude_desktop_config.json, and put in the key and the path of a checkout of Purser, where you ran npm install. Do not use npx before version 0.1.0 is on a registry: it would give the key to any package with this name.',
      code: jsonOf({
        mcpServers: {
          purser: {
            ...{ command: 'node', args: ['/path/to/purser/packages/cli/bin/purser.js', 'mcp'] },
            env: { PURSER_API_KEY: KEY, PURSER_BASE_URL: target.url },
          },
        },
      }),
    },
    {
      ...{ id: 'ask', title: 'Ask the model', lang: 'text' },
      text: 'The model reads its mandate, checks the spend, and asks for the decision.',
      code: `Use Purser to authorize a spend of ${spend.amount} at ${spend.vendor}, category ${spend.category}.`,
      expected: {
        ...{ kinds: ['transaction.approved', 'transaction.rejected'], agentId, spend },
        waiting: 'Waiting for the decision.',
      },
    },
  ]
}

function jsonOf(value: object): string {
  return JSON.stringify(value, null, 2)
}
