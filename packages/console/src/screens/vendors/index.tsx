export function Vendors() {
  return <h1>Vendors</h1>
}
