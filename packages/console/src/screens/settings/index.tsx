export { OrganizationSettings } from './organization/index.tsx'
export { WebhookSettings } from './webhook/index.tsx'

export function MemberSettings() {
  return <h1>MemberSettings</h1>
}

export function OwnSettings() {
  return <h1>OwnSettings</h1>
}
