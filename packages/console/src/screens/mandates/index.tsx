export function Mandates() {
  return <h1>Mandates</h1>
}

export function MandatePage() {
  return <h1>MandatePage</h1>
}

export function MandateVersions() {
  return <h1>MandateVersions</h1>
}
