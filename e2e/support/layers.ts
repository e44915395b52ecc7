import { SETTINGS_LAYERS } from './layers-of-settings.ts'
import {
  alertOf,
  atOnce,
  by,
  byList,
  byMenu,
  dialogOf,
  type Layer,
  menuOf,
  press,
} from './open-layer.ts'

const CARD = /^Actions for .*4242/

/** The layers of each page, in the order in which they open. Escape closes each. */
export const LAYERS: Readonly<Record<string, readonly Layer[]>> = {
  '/': [
    {
      ...{ file: 'shell/palette.tsx', name: 'palette' },
      async open(page) {
        await page.keyboard.press('Control+k')
        return dialogOf(page)
      },
    },
    {
      ...{ file: 'shell/shortcut-list.tsx', name: 'shortcuts' },
      async open(page) {
        await page.keyboard.press('?')
        return dialogOf(page)
      },
    },
    { file: 'shell/who.tsx', name: 'account', open: by(/^Account of/, menuOf) },
    { file: 'shell/who.tsx', name: 'theme', open: by('Theme', menuOf) },
    { file: 'screens/overview/range-popover.tsx', name: 'days', open: by(/ to \d+ /) },
  ],
  '/transactions?decision=rejected': [
    { file: 'screens/transactions/export-button.tsx', name: 'export-csv', open: by('CSV') },
    { file: 'screens/transactions/save-view.tsx', name: 'save-view', open: by('Save view') },
    {
      file: 'screens/transactions/filters/filter-bar.tsx',
      name: 'filters',
      open: by('Add a filter'),
    },
    {
      file: 'screens/transactions/filters/filter-bar.tsx',
      name: 'filter-reason',
      open: by('Reason'),
    },
  ],
  '/transactions/:approved': [
    {
      ...{ file: 'screens/transactions/drawer/more-actions.tsx', name: 'transaction-menu' },
      open: by('More actions', menuOf),
    },
    {
      ...{ file: 'screens/transactions/drawer/change-dialog.tsx', name: 'refund' },
      open: by('Refund…', alertOf),
    },
  ],
  '/agents?new=1': [
    { file: 'screens/agents/agent-dialog.tsx', name: 'agent-new', open: atOnce(dialogOf) },
  ],
  '/agents/:agent': [
    { file: 'screens/agents/agent-actions.tsx', name: 'agent-menu', open: by('More', menuOf) },
    {
      ...{ file: 'screens/agents/agent-dialog.tsx', name: 'agent-edit' },
      open: byMenu('More', 'Edit…', dialogOf),
    },
    {
      ...{ file: 'screens/agents/pause-dialog.tsx', name: 'agent-pause' },
      open: byMenu('More', 'Pause with a reason…'),
    },
    {
      ...{ file: 'screens/agents/delete-dialog.tsx', name: 'agent-delete' },
      open: byMenu('More', 'Delete…'),
    },
  ],
  '/mandates': [
    {
      file: 'screens/mandates/list/mandate-filters.tsx',
      name: 'mandate-filter',
      open: by('Agent'),
    },
  ],
  '/mandates/:mandate': [
    {
      file: 'screens/mandates/page/mandate-menu.tsx',
      name: 'mandate-menu',
      open: by('More', menuOf),
    },
    {
      ...{ file: 'screens/mandates/page/revoke-dialog.tsx', name: 'mandate-revoke' },
      open: byMenu('More', /^Revoke/),
    },
  ],
  '/mandates/:mandate/edit': [
    {
      file: 'screens/mandates/editor/rules/add-rule.tsx',
      name: 'add-rule',
      open: by('Add a rule', menuOf),
    },
    {
      file: 'screens/mandates/editor/editor-header.tsx',
      name: 'editor-menu',
      open: by('More', menuOf),
    },
    {
      ...{ file: 'screens/mandates/editor/beside/backtest-details.tsx', name: 'backtest' },
      async open(page) {
        await page.getByLabel('At most').first().fill('3')
        await press(page, /the assumptions$|^Assumptions/)
        return dialogOf(page)
      },
    },
    {
      ...{ file: 'screens/mandates/editor/save/review-dialog.tsx', name: 'review' },
      async open(page) {
        await press(page, 'Review and activate')
        return dialogOf(page)
      },
    },
  ],
  '/simulator': [
    {
      ...{ file: 'screens/simulator/spend-form.tsx', name: 'simulator-agents' },
      open: (page) => byList(page, 'Agent'),
    },
  ],
  '/vendors?new=1': [
    { file: 'screens/vendors/vendor-dialog.tsx', name: 'vendor-new', open: atOnce(dialogOf) },
  ],
  '/vendors/:vendor': [
    { file: 'screens/vendors/vendor-filters.tsx', name: 'vendor-filter', open: by('Category') },
    { file: 'screens/vendors/vendor-dialog.tsx', name: 'vendor-edit', open: by('Change vendor') },
    {
      ...{ file: 'screens/vendors/rotate-order-url.tsx', name: 'vendor-rotate' },
      open: by('Rotate the order URL…', alertOf),
    },
  ],
  '/wallets?new=1': [
    { file: 'screens/wallets/wallet-dialog.tsx', name: 'wallet-new', open: atOnce(dialogOf) },
  ],
  '/cards?new=card': [
    { file: 'screens/cards/card-dialog.tsx', name: 'card-new', open: atOnce(dialogOf) },
  ],
  '/cards?new=connection': [
    { file: 'screens/cards/connection-dialog.tsx', name: 'connection-new', open: atOnce(dialogOf) },
  ],
  '/cards': [
    { file: 'screens/cards/card-table.tsx', name: 'card-menu', open: by(CARD, menuOf) },
    { file: 'screens/cards/card-status.tsx', name: 'card-pause', open: byMenu(CARD, /^Pause/) },
    { file: 'screens/cards/card-status.tsx', name: 'card-close', open: byMenu(CARD, /^Close/) },
  ],
  '/cards/connections/:connection': [
    {
      ...{ file: 'screens/cards/connection-change.tsx', name: 'connection-disable' },
      open: by('Disable…', alertOf),
    },
    {
      ...{ file: 'parts/secret/secret-once.tsx', name: 'connection-urls' },
      async open(page) {
        await press(page, 'Rotate URLs…')
        await alertOf(page)
          .getByRole('button', { name: /^Rotate/ })
          .click()
        const shown = page.getByRole('alertdialog', { name: /URLs of/ })
        for (const name of ['Requests URL', 'Events URL']) {
          await shown.getByRole('button', { name: `Copy the ${name}` }).click()
        }
        return shown
      },
    },
  ],
  '/keys': [
    { file: 'screens/keys/key-filters.tsx', name: 'key-filter', open: by('Agent') },
    { file: 'screens/keys/rotate-key.tsx', name: 'key-rotate', open: by(/^Rotate Proc/) },
    { file: 'screens/keys/revoke-key.tsx', name: 'key-revoke', open: by(/^Revoke Proc/, alertOf) },
  ],
  '/keys/new': [{ file: 'screens/keys/new-key.tsx', name: 'key-new', open: atOnce(dialogOf) }],
  '/audit': [
    { file: 'screens/audit/export-dialog.tsx', name: 'audit-export', open: by('Export to verify') },
    { file: 'screens/audit/filters.tsx', name: 'audit-who', open: by('Who') },
    { file: 'screens/audit/filters.tsx', name: 'audit-time', open: by('Any time') },
  ],
  ...SETTINGS_LAYERS,
}

/** Layers that their own tests open, because they need more than a press. */
export const ELSEWHERE = [
  'parts/url-form-dialog.tsx',
  'screens/approvals/curl-menu.tsx',
  'screens/mandates/editor/save/difference-dialog.tsx',
  'screens/settings/me/remove-passkey.tsx',
  'screens/settings/webhook/delivery-drawer.tsx',
  'screens/transactions/drawer/drawer.tsx',
  'screens/vendors/vendor-drawer.tsx',
  'screens/audit/drawer.tsx',
  'screens/cards/connection-drawer.tsx',
  'screens/keys/key-row.tsx',
  'shell/ask-again.tsx',
  'shell/bottom-bar.tsx',
]
