export { WebhookSettings } from './webhook/index.tsx'

export function OrganizationSettings() {
  return <h1>OrganizationSettings</h1>
}

export function MemberSettings() {
  return <h1>MemberSettings</h1>
}

export function OwnSettings() {
  return <h1>OwnSettings</h1>
}
