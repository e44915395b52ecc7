import { parseUrl } from '../../base/parse-url.ts'
import type { Settings } from '../../base/setting.ts'
import type { PathSettings } from '../path.ts'
import type { NetworkSetting } from './chain/chains.ts'
import type { Finality } from './chain/fate.ts'

export interface X402Settings {
  /** The chains that payments use, each with its node. */
  readonly networks: readonly NetworkSetting[]
}

const SETTINGS = {
  PURSER_X402_NETWORKS: {
    description:
      'Networks for x402 payments, each with the URL of a node. Without a URL the gateway can sign payments but cannot look them up.',
    defaultNote: 'none: x402 payments are refused',
    example: 'eip155:84532=https://node.example.com',
    isSecret: true,
    // Some providers of nodes put the key into the path.
    showsUrl: 'hosts',
    guide: 'guide-x402.md',
  },
  PURSER_X402_FINALITY: {
    description:
      'Block treated as final: `latest`, `safe`, `finalized`, or a number of blocks behind the latest. One value for all networks, or one per network (`eip155:8453=finalized`). Use `latest` on test chains only.',
    default: 'safe',
    example: 'finalized',
    guide: 'guide-x402.md',
  },
} as const satisfies Settings

export const x402Settings: PathSettings<X402Settings> = {
  group: { title: 'x402', settings: SETTINGS },
  read(variable, mistakes) {
    const networks = variable('PURSER_X402_NETWORKS')
    const finality = variable('PURSER_X402_FINALITY')
    return Object.freeze({ networks: readNetworks(networks, finality, mistakes) })
  },
}

/** Reads the networks. No message repeats a node's URL, because it may contain a key. */
function readNetworks(
  text: string | undefined,
  finalityText: string | undefined,
  mistakes: string[],
): readonly NetworkSetting[] {
  const networks = entriesOf(text).flatMap((entry, index) => {
    const [, network, rpcUrl] = /^(eip155:[1-9]\d{0,17})(?:=(https?:\/\/\S+))?$/.exec(entry) ?? []
    if (network !== undefined && (rpcUrl === undefined || parseUrl(rpcUrl))) {
      return [{ network, rpcUrl }]
    }
    mistakes.push(
      `PURSER_X402_NETWORKS, entry ${index + 1}: must be a network such as eip155:84532, alone or with the http(s) URL of a node: ${SETTINGS.PURSER_X402_NETWORKS.example}.`,
    )
    return []
  })
  const names = networks.map(({ network }) => network)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) mistakes.push(`PURSER_X402_NETWORKS names ${twice} twice.`)
  const finalities = readFinalities(finalityText, names, mistakes)
  return networks.map((network) => ({
    ...network,
    finality: toFinality(
      finalities.get(network.network) ??
        finalities.get('') ??
        SETTINGS.PURSER_X402_FINALITY.default,
    ),
  }))
}

/** Maps a network to its finality. An entry without a network applies to all others. */
function readFinalities(
  text: string | undefined,
  networks: readonly string[],
  mistakes: string[],
): ReadonlyMap<string, string> {
  const finalities = new Map<string, string>()
  entriesOf(text).forEach((entry, index) => {
    const where = `PURSER_X402_FINALITY, entry ${index + 1}`
    const form = /^(?:(eip155:[1-9]\d{0,17})=)?(latest|safe|finalized|[1-9]\d{0,3})$/.exec(entry)
    const [, network = '', finality] = form ?? []
    if (finality === undefined) {
      mistakes.push(
        `${where}: must be latest, safe, finalized or a number of blocks, for all networks or for one: eip155:84532=safe.`,
      )
    } else if (network !== '' && !networks.includes(network)) {
      mistakes.push(`${where}: names ${network}, which is not in PURSER_X402_NETWORKS.`)
    } else if (finalities.has(network)) {
      mistakes.push(`${where}: sets the final block tag twice.`)
    } else finalities.set(network, finality)
  })
  return finalities
}

function entriesOf(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
}

function toFinality(text: string): Finality {
  if (text === 'latest' || text === 'safe' || text === 'finalized') return text
  return Number(text)
}
