export function Cards() {
  return <h1>Cards</h1>
}
