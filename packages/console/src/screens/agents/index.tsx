export { AgentPage } from './agent-page.tsx'
export { Agents } from './agents.tsx'
