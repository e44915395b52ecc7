const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The pages of objects, by the prefix of their ids. */
const PAGES: Readonly<Record<string, string>> = {
  txn: '/transactions/',
  apr: '/approvals/',
  mnd: '/mandates/',
  dlv: '/settings/webhook/',
  ven: '/vendors/',
  conn: '/cards/connections/',
}

/** The address of the page that shows the object with this id; undefined if the text is no id. */
export function placeOfId(text: string): string | undefined {
  const id = text.trim()
  if (UUID.test(id)) return `/agents/${id.toLowerCase()}`
  const prefix = /^([a-z]{2,4})_[0-9a-f]{8,}$/i.exec(id)?.[1]?.toLowerCase()
  const page = prefix && PAGES[prefix]
  return page ? `${page}${id}` : undefined
}
