import { quotedCode } from '../../parts/quoted-code.ts'
import { type Block, environmentBlock, type Target } from './block-shape.ts'

/** Files for Node, Bun or Deno. */
export function sdkBlocks(target: Target): readonly Block[] {
  const { agentId, spend, url } = target
  const start = `import { Purser } from '@purser/sdk'\n\nconst purser = new Purser(${optionsOf(url)})\n`
  const fields = [
    `  agentId: '${agentId}',`,
    `  amount: ${spend.amount},`,
    `  vendor: ${quotedCode(spend.vendor)},`,
    `  category: ${quotedCode(spend.category)},`,
  ].join('\n')
  return [
    {
      ...{ id: 'install', title: 'Install the SDK', lang: 'bash' },
      text: 'Version 0.1.0 is not on a registry yet. In a checkout of Purser, the first command packs it; run the second one in your project.',
      code: 'npm pack -w packages/sdk --pack-destination /tmp\nnpm install /tmp/purser-sdk-0.1.0.tgz',
    },
    environmentBlock(target),
    {
      ...{ id: 'evaluate', title: 'Ask for a decision', lang: 'ts' },
      text: 'Save it as spend.mjs and run: node spend.mjs. A rejection is a value, not an error.',
      code: `${start}const { decision, evaluationDetails } = await purser.gateway.evaluate({\n${fields}\n})\nconsole.log(decision, evaluationDetails.message)`,
      expected: {
        ...{ kinds: ['transaction.approved', 'transaction.rejected'], agentId, spend },
        waiting: 'Waiting for the decision.',
      },
    },
    {
      ...{ id: 'spend', title: 'Hold, pay and settle in one call', lang: 'ts' },
      text: 'The function runs only if the spend is approved. If it throws, the hold stays, because money may have moved.',
      code: `${start}const spend = {\n${fields}\n}\nawait purser.spend(spend, async (hold) => {\n  // Pay the vendor here, then settle to the amount that was charged.\n  hold.settle(${spend.amount})\n})`,
      expected: {
        ...{ kinds: ['transaction.settled'], agentId, spend },
        waiting: 'Waiting until the hold is settled.',
      },
    },
    {
      ...{ id: 'events', title: 'Follow the events', lang: 'ts' },
      text: 'Each event once and without a gap, also over lost connections. Run a spend in a second terminal.',
      code: `${start}for await (const event of purser.events.stream()) {\n  console.log(event.id, event.event)\n}`,
      expected: {
        ...{ kinds: ['transaction.approved', 'transaction.rejected'], isShown: true },
        waiting: 'Waiting for the next decision. The program prints the same one.',
      },
    },
  ]
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The SDK sends no key over plain HTTP to a different machine, unless it is allowed to. */
function optionsOf(url: string): string {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname) ? '{ allowHttp: true }' : ''
}
