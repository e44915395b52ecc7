export function MandateEditor() {
  return <h1>MandateEditor</h1>
}

export function NewMandate() {
  return <h1>NewMandate</h1>
}
