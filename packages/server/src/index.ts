/** Loads the demo, which no other command needs. */
export const loadDemo = () => import('./demo/run.ts')

export {
  findClosedStore,
  finishRestore,
  releaseDeliveries,
} from './operator/backup/finish.ts'
export type { Manifest } from './operator/backup/format.ts'
export { restoreBackup } from './operator/backup/restore.ts'
export { backUpStore, cancelStoreMove } from './operator/backup/source.ts'
export { changePlan } from './operator/change-plan.ts'
export { type Check, runDoctor } from './operator/doctor.ts'
export {
  dismissMember,
  inviteMember,
  issueResetLink,
  mailInvitations,
  readAddress,
  readMembers,
  readRole,
} from './operator/manage-members.ts'
export {
  distributeStore,
  type Migrated,
  migrateStore,
  readStoreDistribution,
  undistributeStore,
} from './operator/migrate-store.ts'
export { readChanges } from './operator/read-changes.ts'
export { rebuildAnalytics } from './operator/rebuild-analytics.ts'
export { type Reconciled, reconcile } from './operator/reconcile.ts'
export { rotateLogKey, rotateSigningKey } from './operator/rotate-keys.ts'
export { rotateMasterKey } from './operator/rotate-master-key.ts'
export { ISSUERS, type Issuer, type Purchase, type TriggerAnswer } from './paths/card-issuers.ts'
export { type EffectiveSetting, readEffective } from './process/config/effective.ts'
export { listSettings } from './process/config/settings.ts'
export { readConfig } from './process/config.ts'
export { openExistingStorage, openStorage } from './process/open-storage.ts'
export { runGateway } from './process/run.ts'
export {
  createOrganization,
  createOwnerKey,
  findKeyFile,
  readOrganizations,
  readScopes,
  toOrganizationId,
} from './process/setup.ts'
export { readWorkerCount } from './process/workers/worker-count.ts'
export type { Distribution } from './storage/distributed/distribution.ts'
export { countOrganizations } from './storage/organizations.ts'
export { mintApiKey } from './storage/secrets/api-key-secret.ts'
