export function Wallets() {
  return <h1>Wallets</h1>
}
