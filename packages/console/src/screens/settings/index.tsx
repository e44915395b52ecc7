export function WebhookSettings() {
  return <h1>WebhookSettings</h1>
}

export function OrganizationSettings() {
  return <h1>OrganizationSettings</h1>
}

export function MemberSettings() {
  return <h1>MemberSettings</h1>
}

export function OwnSettings() {
  return <h1>OwnSettings</h1>
}
