/**
 * The packages that only some commands load. This module stays a file of its own in the bundle, because
 * code that V8 has compiled in advance cannot import.
 */
export const loadServer = () => import('@purser/server')
export const loadMcpServer = () => import('@purser/mcp/stdio')
export const loadVerifier = () => import('@purser/audit/verify')
