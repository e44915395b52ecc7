import type { Tool, ToolContext } from '../types.ts'

/** What the program decides about the tools that it gives a model. */
export interface ToolsOptions extends Omit<ToolContext, 'signal'> {
  /** The names of the tools to offer. Default: all. */
  readonly only?: readonly string[]
}

/** Picks the tools to offer. A mistyped name is an error, so that no tool is missing unnoticed. */
export function toolsFor(tools: readonly Tool[], { only }: ToolsOptions): readonly Tool[] {
  if (!only) return tools
  return only.map((name) => {
    const found = tools.find((tool) => tool.name === name)
    if (found) return found
    const names = tools.map((tool) => tool.name).join(', ')
    throw new TypeError(`There is no tool \`${name}\`. The tools are: ${names}.`)
  })
}
