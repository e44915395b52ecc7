export function Reference() {
  return <h1>Reference</h1>
}
