import { register } from 'node:module'

/**
 * Our tests resolve packages with the condition `source`, which means our TypeScript. Some packages
 * of others use the same word for their own TypeScript, which Node cannot load. This hook resolves
 * these as published.
 */
const HOOK = `export function resolve(name, context, next) {
  if (!/^eventsource(-parser)?(\\/|$)/.test(name)) return next(name, context)
  return next(name, { ...context, conditions: context.conditions.filter((it) => it !== 'source') })
}`

register(`data:text/javascript,${encodeURIComponent(HOOK)}`)
