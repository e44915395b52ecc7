/** The search part of an address as plain texts: `?agent=…&status=held`. */
export type Search = Readonly<Record<string, string | undefined>>

/** The parts of a path that its pattern names: `id` in `/agents/$id`. */
export type Params = Readonly<Record<string, string | undefined>>

/** Where a person is. */
export interface Place {
  readonly pathname: string
  readonly search: Search
}

/** As a method, so that a screen can name the parameters that it reads. */
type SearchChange = { change(before: Search): object }['change']

/** Where a link leads, seen from where it stands. */
export interface Target {
  /** The pattern of a path, such as `/agents/$id`. Without it the path stays. */
  readonly to?: string | undefined
  readonly params?: Params | undefined
  /** True keeps the parameters, and a function changes them. Without it there are none. */
  readonly search?: SearchChange | object | true | undefined
  /** The whole address, in place of the parts above. */
  readonly href?: string | undefined
}

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: object): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

export function hrefOf({ to, params = {}, search, href }: Target, from: Place): string {
  if (href !== undefined) return href
  const path = to === undefined || to === '.' ? from.pathname : fill(to, params)
  if (search === undefined) return path
  if (search === true) return path + stringifySearch(from.search)
  return path + stringifySearch(typeof search === 'function' ? search(from.search) : search)
}

/** `{-$name}` is a part that may be missing. */
function fill(pattern: string, params: Params): string {
  const path = pattern
    .replace(/\/\{-\$(\w+)\}/g, (_, name: string) => (params[name] ? `/$${name}` : ''))
    .replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return path === '' ? '/' : path
}

/** The parameters of a path that has this pattern, or undefined. */
export function matchPath(pattern: string, pathname: string): Params | undefined {
  const wanted = partsOf(pattern)
  const given = partsOf(pathname)
  const least = wanted.filter((part) => !part.startsWith('{')).length
  if (given.length < least || given.length > wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const name = /^\{?-?\$(\w+)/.exec(part)?.[1]
    const value = given[index]
    if (name === undefined && part !== value) return undefined
    if (name !== undefined && value !== undefined) params[name] = decode(value)
  }
  return params
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

/** A person can type a percent sign that encodes nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
