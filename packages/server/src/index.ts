export { readConfig } from './config.ts'
export {
  dismissMember,
  inviteMember,
  issueResetLink,
  readMembers,
  readRole,
} from './manage-members.ts'
export { rotateMasterKey } from './rotate-master-key.ts'
export { rotateSigningKey } from './rotate-signing-key.ts'
export { runGateway } from './run.ts'
export {
  changePlan,
  createOrganization,
  createOwnerKey,
  findKeyFile,
  openStorage,
  readOrganizations,
  readScopes,
} from './setup.ts'
export { countOrganizations } from './storage/organizations.ts'
export { newWebhookSecret, signatureHeaders } from './webhooks/signature.ts'
