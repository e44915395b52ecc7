import { alertOf, by, byList, byMenu, dialogOf, type Layer, menuOf, press } from './open-layer.ts'

const MEMBER = /^Actions for person/
const ENDPOINT = /^Actions for 127/

/** The layers of the pages of the settings. */
export const SETTINGS_LAYERS: Readonly<Record<string, readonly Layer[]>> = {
  '/settings/webhook': [
    { file: 'screens/settings/webhook/url-dialog.tsx', name: 'webhook-url', open: by('Change') },
    {
      file: 'screens/settings/webhook/events-dialog.tsx',
      name: 'webhook-kinds',
      open: by('Choose kinds'),
    },
    {
      ...{ file: 'screens/settings/webhook/endpoint-dialog.tsx', name: 'endpoint-add' },
      open: by('Add an endpoint'),
    },
    {
      ...{ file: 'screens/settings/webhook/endpoint-row.tsx', name: 'endpoint-menu' },
      open: by(ENDPOINT, menuOf),
    },
    {
      ...{ file: 'screens/settings/webhook/remove-endpoint.tsx', name: 'endpoint-remove' },
      open: byMenu(ENDPOINT, /^Remove/),
    },
    {
      file: 'screens/settings/webhook/endpoint-filter.tsx',
      name: 'delivery-endpoint',
      open: by(/^Endpoint/),
    },
    {
      file: 'screens/settings/webhook/calculator.tsx',
      name: 'calculator',
      open: by('Check a signature'),
    },
    {
      ...{ file: 'screens/settings/webhook/test-menu.tsx', name: 'webhook-test' },
      open: by('Send a test event', menuOf),
    },
    {
      ...{ file: 'screens/settings/webhook/resend-failed.tsx', name: 'webhook-resend' },
      open: by(/^Resend failed/),
    },
    {
      file: 'screens/settings/webhook/delivery-filters.tsx',
      name: 'delivery-kind',
      open: by('Kind'),
    },
    {
      file: 'screens/settings/webhook/rotate-secret.tsx',
      name: 'secret-rotate',
      open: by('Rotate'),
    },
    {
      ...{ file: 'parts/secret/secret-once.tsx', name: 'secret-once' },
      async open(page) {
        await press(page, 'Rotate')
        await dialogOf(page).getByRole('button', { name: 'Rotate the secret' }).click()
        await alertOf(page).getByRole('button', { name: 'Copy the secret' }).click()
        return alertOf(page)
      },
    },
  ],
  '/settings/organization': [
    {
      ...{ file: 'screens/settings/organization/general.tsx', name: 'time-zones' },
      open: (page) => byList(page, 'Time zone'),
    },
    {
      ...{ file: 'screens/settings/organization/freeze.tsx', name: 'freeze' },
      open: by('Freeze all spending…', alertOf),
    },
    {
      ...{ file: 'screens/settings/organization/instrument-dialog.tsx', name: 'instrument-new' },
      open: by('Add an ACP instrument'),
    },
    {
      ...{ file: 'screens/settings/organization/remove-instrument.tsx', name: 'instrument-remove' },
      open: by('Remove Company card', alertOf),
    },
    {
      ...{ file: 'screens/settings/organization/chat-dialog.tsx', name: 'chat-url' },
      open: by('Change the URL'),
    },
    {
      ...{ file: 'screens/settings/organization/chat.tsx', name: 'chat-remove' },
      open: by('Remove the chat', alertOf),
    },
    {
      ...{ file: 'screens/settings/organization/retention.tsx', name: 'retention' },
      async open(page) {
        await page.getByLabel('Details of decisions').fill('90')
        await press(page, 'Save retention')
        return alertOf(page)
      },
    },
  ],
  '/settings/members': [
    {
      file: 'screens/settings/members/member-row.tsx',
      name: 'member-menu',
      open: by(MEMBER, menuOf),
    },
    {
      ...{ file: 'screens/settings/members/change-role.tsx', name: 'member-role' },
      open: byMenu(MEMBER, /^Change the role/, dialogOf),
    },
    {
      ...{ file: 'screens/settings/members/reset-link.tsx', name: 'member-reset' },
      open: byMenu(MEMBER, /^Create a reset link/),
    },
    {
      ...{ file: 'screens/settings/members/remove-member.tsx', name: 'member-remove' },
      open: byMenu(MEMBER, /^Remove/),
    },
    { file: 'screens/settings/members/invite.tsx', name: 'invite', open: by('Invite a person') },
    {
      ...{ file: 'screens/settings/members/withdraw-invitation.tsx', name: 'invitation-withdraw' },
      open: by(/^Withdraw the invitation of/, alertOf),
    },
  ],
  '/settings/me': [
    {
      file: 'screens/settings/me/passkey-dialog.tsx',
      name: 'passkey-new',
      open: by('Add a passkey'),
    },
    {
      ...{ file: 'screens/settings/me/recovery-codes.tsx', name: 'recovery-codes' },
      async open(page) {
        await press(page, 'Make recovery codes')
        await alertOf(page)
          .getByRole('button', { name: /^Copy the/ })
          .click()
        return alertOf(page)
      },
    },
    {
      ...{ file: 'screens/settings/me/recovery-codes.tsx', name: 'recovery-codes-new' },
      open: by('Make new codes', alertOf),
    },
  ],
}
