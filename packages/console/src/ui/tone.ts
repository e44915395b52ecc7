/** The six kinds of status. Each part that shows a status takes one of these. */
export type Tone = 'ok' | 'no' | 'held' | 'ask' | 'back' | 'done'

/** The class that sets the colours of a tone. Tailwind finds class names only as whole words. */
export const TONE_CLASS: Record<Tone, string> = {
  ok: 'tone-ok',
  no: 'tone-no',
  held: 'tone-held',
  ask: 'tone-ask',
  back: 'tone-back',
  done: 'tone-done',
}
