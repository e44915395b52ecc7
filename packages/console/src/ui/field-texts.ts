import type { FieldTexts } from './field.tsx'

/** Takes the words of a field from the props of a control that can be its own field. */
export function splitFieldTexts<P extends FieldTexts>(props: P) {
  const { label, help, error, was, required, note, hideLabel, ...rest } = props
  return { texts: { label, help, error, was, required, note, hideLabel }, rest }
}
