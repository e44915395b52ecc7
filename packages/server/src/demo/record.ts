import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSecretFile } from '../storage/secrets/secret-file.ts'
import type { ShopSecrets } from './stand-ins/shop.ts'

/** The file that makes a folder a demo folder. Only its owner can read it, because it has keys. */
export const RECORD_FILE = 'demo.json'

export const AGENTS = ['research', 'travel', 'ops'] as const
export type AgentName = (typeof AGENTS)[number]

/** An agent of the demo, with the key that it spends with. */
export interface DemoAgent {
  readonly id: string
  readonly mandateId: string
  readonly apiKey: string
}

/** Everything that a later start needs, so that it can go on with the same organization. */
export interface DemoRecord {
  readonly organizationId: string
  /** The port of the stand-ins, which the organization's settings name. */
  readonly standInPort: number
  /** The key of the operator, with every scope. */
  readonly apiKey: string
  readonly agents: Readonly<Record<AgentName, DemoAgent>>
  readonly card: {
    readonly apiKey: string
    readonly connectionId: string
    readonly travelCard: string
    readonly opsCard: string
  }
  readonly shopVendorId: string
  readonly walletAddress: string
  /** The address that the x402 vendor is paid at. */
  readonly payTo: string
  readonly shop: ShopSecrets
}

/** Marks the folder before anything else is in it, so that an interrupted start can be repeated. */
export function markFolder(folder: string): Promise<void> {
  return writeSecretFile(join(folder, RECORD_FILE), '{}')
}

export function writeRecord(folder: string, record: DemoRecord): Promise<void> {
  return writeSecretFile(join(folder, RECORD_FILE), JSON.stringify(record, null, 2))
}

/** Returns undefined if the folder has no demo, or one whose past was not finished. */
export async function readRecord(folder: string): Promise<DemoRecord | undefined> {
  const text = await readFile(join(folder, RECORD_FILE), 'utf8').catch(() => '{}')
  const record: Partial<DemoRecord> = JSON.parse(text)
  return record.organizationId === undefined ? undefined : (record as DemoRecord)
}
