export function Transactions() {
  return <h1>Transactions</h1>
}
