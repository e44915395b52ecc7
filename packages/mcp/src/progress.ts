import type { Tool } from '@purser/sdk/tools'
import type { ServerContext } from './mcp-libraries.ts'
import type { Session } from './session.ts'

const PROGRESS_MS = 5_000

/**
 * While a tool waits for a person, tells a client that gave a progress token how many seconds have
 * passed. Such a client shows it, and does not give up meanwhile.
 */
export async function whileShowingProgress<T>(
  { progressMs = PROGRESS_MS }: Session,
  { mcpReq }: ServerContext,
  tool: Tool,
  run: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined || !('waitSeconds' in tool.inputSchema.properties)) return run()
  const began = performance.now()
  const timer = setInterval(() => {
    const progress = Math.round(performance.now() - began) / 1_000
    const params = { progressToken, progress, message: 'Waiting for a person to decide.' }
    // A client that is gone needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }, progressMs)
  try {
    return await run()
  } finally {
    clearInterval(timer)
  }
}
