export { readConfig } from './config.ts'
export { runGateway } from './run.ts'
export { createOrganization, openStorage } from './setup.ts'
export { countOrganizations } from './storage/organizations.ts'
