import type { Block, Target } from './block-shape.ts'
import { cliBlocks } from './cli-blocks.ts'
import { curlBlocks } from './curl-blocks.ts'
import { mcpBlocks } from './mcp-blocks.ts'
import { sdkBlocks } from './sdk-blocks.ts'

export const TABS = ['curl', 'sdk', 'cli', 'mcp'] as const
export type Tab = (typeof TABS)[number]

const BLOCKS: Readonly<Record<Tab, (target: Target) => readonly Block[]>> = {
  curl: curlBlocks,
  sdk: sdkBlocks,
  cli: cliBlocks,
  mcp: mcpBlocks,
}

export function blocksOf(tab: Tab, target: Target): readonly Block[] {
  return BLOCKS[tab](target)
}
