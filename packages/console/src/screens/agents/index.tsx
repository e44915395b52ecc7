export function Agents() {
  return <h1>Agents</h1>
}

export function AgentPage() {
  return <h1>AgentPage</h1>
}
