export { changePlan } from './change-plan.ts'
export { readConfig } from './config.ts'
export {
  dismissMember,
  inviteMember,
  issueResetLink,
  readMembers,
  readRole,
} from './manage-members.ts'
export { readChanges } from './read-changes.ts'
export { rebuildAnalytics } from './rebuild-analytics.ts'
export { type Reconciled, reconcile } from './reconcile.ts'
export { rotateLogKey } from './rotate-log-key.ts'
export { rotateMasterKey } from './rotate-master-key.ts'
export { rotateSigningKey } from './rotate-signing-key.ts'
export { runGateway } from './run.ts'
export {
  createOrganization,
  createOwnerKey,
  findKeyFile,
  openStorage,
  readOrganizations,
  readScopes,
} from './setup.ts'
export { countOrganizations } from './storage/organizations.ts'
export { newWebhookSecret, signatureHeaders } from './webhooks/signature.ts'
