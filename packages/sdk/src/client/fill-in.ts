import { badOption } from './options.ts'

/** Fills the ids into the path of an operation. An empty id would address the list instead. */
export function fillIn(template: string, ids: readonly unknown[]): string {
  let next = 0
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[next]
    next += 1
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
      throw badOption(`\`${name}\` must be the id of an object.`)
    }
    return encodeURIComponent(id)
  })
}
