import { BASE_URL, type Block, environmentBlock, type Target } from './block-shape.ts'

const CARD_AMOUNT = 49

/** Commands of the package `purser`. */
export function cliBlocks(target: Target): readonly Block[] {
  return [
    {
      ...{ id: 'install', title: 'Get the command', lang: 'bash' },
      text: 'Version 0.1.0 is not on a registry yet. In a checkout of Purser, this makes npx purser work there.',
      code: 'npm install\nnpx purser --help',
    },
    environmentBlock(target),
    {
      ...{ id: 'listen', title: 'Forward events to your machine', lang: 'bash' },
      text: 'Signed like webhooks, so that a receiver can be tried without a public address. Run a spend in a second terminal.',
      code: 'npx purser listen --forward-to localhost:4000/webhook',
      expected: {
        ...{ kinds: ['transaction.approved', 'transaction.rejected'], isShown: true },
        waiting: 'Waiting for the next decision. The command forwards the same one.',
      },
    },
    {
      ...{ id: 'approvals', title: 'Decide an approval', lang: 'bash' },
      text: 'The first command lists the requests that wait; put an id into the second.',
      code: 'npx purser approvals list\nnpx purser approvals approve apr_…',
      expected: {
        ...{ kinds: ['approval.decided'], isShown: true },
        waiting: 'Waiting until an approval is decided.',
      },
    },
    {
      ...{ id: 'card', title: 'Send a card authorization', lang: 'bash' },
      text: 'As an issuer would. The decision is real: an approval holds budget until it is reversed.',
      code: `npx purser trigger card --card <externalId> --connection conn_… --amount ${CARD_AMOUNT}`,
      expected: {
        ...{
          kinds: ['transaction.approved', 'transaction.rejected'],
          path: 'card',
          spend: { amount: CARD_AMOUNT },
        },
        waiting: 'Waiting for the decision on the card.',
      },
    },
    {
      ...{ id: 'verify', title: 'Verify the audit log', lang: 'bash' },
      text: 'Keep the key where the operator of the gateway cannot change it. The last command needs no network.',
      code: verifyCode(),
    },
  ]
}

function verifyCode(): string {
  const auth = '-H "Authorization: Bearer $PURSER_API_KEY"'
  return [
    `curl -s "${BASE_URL}/api/v1/audit-log/proof" ${auth} \\`,
    `  | node -p 'JSON.parse(require("fs").readFileSync(0)).keys.join("\\n")' > log.vkey`,
    `curl -s "${BASE_URL}/api/v1/audit-log" ${auth} \\`,
    "  -H 'Accept: application/x-ndjson' > export.ndjson",
    'npx purser verify export.ndjson --key log.vkey',
  ].join('\n')
}
