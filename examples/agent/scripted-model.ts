import { MockLanguageModelV3 } from 'ai/test'

/** What the model does in one step: it calls a tool, or it says its last words. */
export type Step = { readonly call: string; readonly input: object } | { readonly say: string }

/** Chooses the next step from the result of the last tool. */
export type Choice = (lastResult: Record<string, unknown>) => Step

/** Parts of the prompt that the script reads. */
interface ToolMessage {
  readonly role: string
  readonly content: readonly { readonly output?: { readonly value?: unknown } }[] | string
}

/**
 * A language model that follows a script, so that the example needs no account at a provider. It
 * reads the results of its tools as a real model does, from the messages of the agent.
 */
export function scriptedModel(
  script: readonly Choice[],
  announce: (step: Step) => void,
): MockLanguageModelV3 {
  let step = 0
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const choice = script[step]
      step += 1
      const next = choice?.(lastResultOf(prompt as ToolMessage[])) ?? { say: 'The script is over.' }
      announce(next)
      return {
        content: [contentOf(next, step)],
        finishReason: { unified: 'call' in next ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 0, text: 0, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })
}

function contentOf(next: Step, step: number) {
  if ('say' in next) return { type: 'text' as const, text: next.say }
  return {
    type: 'tool-call' as const,
    toolCallId: `call-${step}`,
    toolName: next.call,
    input: JSON.stringify(next.input),
  }
}

function lastResultOf(prompt: readonly ToolMessage[]): Record<string, unknown> {
  const last = prompt.findLast(({ role }) => role === 'tool')?.content
  const value = Array.isArray(last) ? last[0]?.output?.value : undefined
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
