import { curlOf } from '../../parts/curl.ts'
import { type Block, environmentBlock, BASE_URL as origin, type Target } from './block-shape.ts'

/** Calls for a shell. */
export function curlBlocks(target: Target): readonly Block[] {
  const { agentId, spend } = target
  const body = { agentId, ...spend }
  return [
    environmentBlock(target),
    {
      ...{ id: 'evaluate', title: 'Ask for a decision', lang: 'bash' },
      text: 'The agent asks before it pays. The answer says approved or rejected, and why.',
      code: curlOf({ method: 'POST', path: '/gateway/evaluate', body, origin, withKey: false }),
      expected: {
        ...{ kinds: ['transaction.approved', 'transaction.rejected'], agentId, spend },
        waiting: 'Waiting for the decision.',
      },
    },
    {
      ...{ id: 'hold', title: 'Hold an amount, then settle it', lang: 'bash' },
      text: 'For a price that is not final: the hold reserves the amount, and settling takes what was paid.',
      code: holdOf(target),
      expected: {
        ...{ kinds: ['transaction.settled'], agentId, spend },
        waiting: 'Waiting until the hold is settled.',
      },
    },
    {
      ...{ id: 'events', title: 'Follow the events', lang: 'bash' },
      text: 'Every decision as it happens, without a server of your own. Run a spend in a second terminal.',
      code: `curl -N "${origin}/api/v1/events" \\\n  -H "Authorization: Bearer $PURSER_API_KEY" \\\n  -H 'Accept: text/event-stream'`,
      expected: {
        ...{ kinds: ['transaction.approved', 'transaction.rejected'], isShown: true },
        waiting: 'Waiting for the next decision. The command shows the same one.',
      },
    },
  ]
}

function holdOf({ agentId, spend }: Target): string {
  const body = { agentId, ...spend, hold: { expiresIn: '15m' } }
  const open = curlOf({ method: 'POST', path: '/gateway/evaluate', body, origin, withKey: false })
  const settle = curlOf({
    ...{ method: 'POST' as const, path: '/transactions/$TXN/settle', origin, withKey: false },
    body: { amount: spend.amount },
  })
  return [
    `TXN=$(${open.replace('curl ', 'curl -s ')} \\`,
    `  | sed 's/.*"transactionId":"\\([^"]*\\)".*/\\1/')`,
    settle,
  ].join('\n')
}
