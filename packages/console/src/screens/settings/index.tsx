export { OwnSettings } from './me/index.tsx'
export { MemberSettings } from './members/index.tsx'
export { OrganizationSettings } from './organization/index.tsx'
export { WebhookSettings } from './webhook/index.tsx'
