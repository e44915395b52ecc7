import type { Mandate } from '@purser/sdk'

/** The mandate that the editor edits. */
export type Source =
  /** A mandate that is not stored yet. */
  | { readonly kind: 'new'; readonly key: string }
  /** A draft that was never active. */
  | { readonly kind: 'draft'; readonly draft: Mandate }
  /** The next version of an active mandate. Its draft is stored with the first change. */
  | { readonly kind: 'next'; readonly base: Mandate; readonly draft: Mandate | undefined }

/** The stored draft, if there is one. */
export function storedDraft(source: Source): Mandate | undefined {
  return source.kind === 'new' ? undefined : source.draft
}

/** The name of the source in this browser's storage. */
export function sourceKey(source: Source): string {
  if (source.kind === 'new') return `new:${source.key}`
  return source.kind === 'draft' ? source.draft.id : source.base.id
}

/** The state that a stored draft had when this browser's copy of the form was made. */
export function stampOf(source: Source): string {
  return storedDraft(source)?.updatedAt ?? ''
}
