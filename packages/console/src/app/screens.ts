import type { QueryClient } from '@tanstack/react-query'
import { Redirect, type Screen } from '../router/screen.ts'
import { listPane as auditList } from '../screens/audit/list-part.ts'
import { listPane as transactionList } from '../screens/transactions/list-part.ts'
import { type Later, later, preload } from '../ui/later.ts'
import { enterConsole, enterDoor } from './session-gate.ts'

type Part = Omit<Screen, 'enter' | 'frame'>
type Door = Part & { readonly enter?: (client: QueryClient) => Promise<void> }

/** Every screen is a file of its own, which loads when a person opens it or points at it. */
export function screensFor(client: QueryClient): readonly Screen[] {
  return [
    ...DOORS.map(({ enter, ...door }) => ({ ...door, enter: async () => enter?.(client) })),
    ...PAGES.map((page) => ({
      ...page,
      frame,
      enter: (href: string) => enterConsole(client, href),
    })),
    {
      paths: ['/settings'],
      view: later(async () => () => null),
      enter: async () => {
        throw new Redirect({ to: '/settings/organization' })
      },
    },
  ]
}

/** The frame of every page behind the doors. */
const frame = later(() => import('../shell/console.tsx').then((file) => file.Console))

/** Loads a list with its screen. A link to one thing draws its drawer first, and its list later. */
function withList<T>(screen: Promise<T>, list: Later<unknown>): Promise<T> {
  if (!/^\/(transactions|audit)\/./.test(location.pathname)) preload(list)
  return screen
}

/** For people who have not signed in. */
const DOORS: readonly Door[] = [
  {
    paths: ['/sign-in'],
    search: ['next'],
    enter: enterDoor,
    view: later(() => import('../screens/doors/sign-in.tsx').then((file) => file.SignIn)),
  },
  {
    paths: ['/setup'],
    view: later(() => import('../screens/doors/setup.tsx').then((file) => file.Setup)),
  },
  {
    paths: ['/accept'],
    view: later(() => import('../screens/doors/accept.tsx').then((file) => file.Accept)),
  },
]

/** For members. A path after the first one opens a drawer or a dialog, which the screen draws. */
const PAGES: readonly Part[] = [
  {
    paths: ['/'],
    search: ['range', 'from', 'to', 'currency'],
    view: later(() => import('../screens/overview/index.tsx').then((file) => file.Overview)),
  },
  {
    paths: ['/start'],
    view: later(() => import('../screens/start/index.tsx').then((file) => file.Start)),
  },
  {
    paths: ['/transactions', '/transactions/$id'],
    search: [
      ...['view', 'decision', 'status', 'path', 'agent', 'mandate', 'vendor', 'category', 'code'],
      ...['flagged', 'min', 'max', 'from', 'to', 'q', 'live', 'rule', 'approval', 'card', 'tab'],
    ],
    view: later(() =>
      withList(import('../screens/transactions/index.tsx'), transactionList).then(
        (file) => file.Transactions,
      ),
    ),
  },
  {
    paths: ['/approvals', '/approvals/$id'],
    search: ['status', 'agent'],
    view: later(() => import('../screens/approvals/index.tsx').then((file) => file.Approvals)),
  },
  {
    paths: ['/agents'],
    search: ['status', 'tag', 'q', 'sort', 'new'],
    view: later(() => import('../screens/agents/agents.tsx').then((file) => file.Agents)),
  },
  {
    paths: ['/agents/$id'],
    view: later(() => import('../screens/agents/agent-page.tsx').then((file) => file.AgentPage)),
  },
  {
    paths: ['/mandates'],
    search: ['status', 'agent', 'archived', 'q', 'sort'],
    view: later(() =>
      import('../screens/mandates/list/mandates.tsx').then((file) => file.Mandates),
    ),
  },
  {
    paths: ['/mandates/new'],
    search: ['agent', 'template', 'from', 'test'],
    view: later(() =>
      import('../screens/mandates/editor/new-mandate.tsx').then((file) => file.NewMandate),
    ),
  },
  {
    paths: ['/mandates/$id'],
    view: later(() =>
      import('../screens/mandates/page/mandate-page.tsx').then((file) => file.MandatePage),
    ),
  },
  {
    paths: ['/mandates/$id/edit'],
    search: ['test', 'from', 'draft', 'review'],
    view: later(() =>
      import('../screens/mandates/editor/mandate-editor.tsx').then((file) => file.MandateEditor),
    ),
  },
  {
    paths: ['/mandates/$id/versions'],
    search: ['a', 'b'],
    view: later(() =>
      import('../screens/mandates/versions/mandate-versions.tsx').then(
        (file) => file.MandateVersions,
      ),
    ),
  },
  {
    paths: ['/simulator'],
    search: ['agent', 'amount', 'vendor', 'category', 'path', 'at', 'txn'],
    view: later(() => import('../screens/simulator/index.tsx').then((file) => file.Simulator)),
  },
  {
    paths: ['/vendors', '/vendors/$id'],
    search: ['category', 'host', 'new', 'payee', 'descriptor'],
    view: later(() => import('../screens/vendors/index.tsx').then((file) => file.Vendors)),
  },
  {
    paths: ['/wallets'],
    search: ['new'],
    view: later(() => import('../screens/wallets/index.tsx').then((file) => file.Wallets)),
  },
  {
    paths: ['/cards', '/cards/connections/$id'],
    search: ['status', 'agent', 'connection', 'new'],
    view: later(() => import('../screens/cards/index.tsx').then((file) => file.Cards)),
  },
  {
    paths: ['/keys', '/keys/new'],
    search: ['sort', 'agent', 'status'],
    view: later(() => import('../screens/keys/index.tsx').then((file) => file.Keys)),
  },
  {
    paths: ['/connect/{-$tab}'],
    search: ['agent'],
    view: later(() => import('../screens/connect/index.tsx').then((file) => file.Connect)),
  },
  {
    paths: ['/reference/{-$operationId}'],
    search: ['lang'],
    view: later(() => import('../screens/reference/index.tsx').then((file) => file.Reference)),
  },
  {
    paths: ['/audit', '/audit/$index'],
    search: ['kind', 'subject', 'actor', 'from', 'to'],
    view: later(() =>
      withList(import('../screens/audit/index.tsx'), auditList).then((file) => file.Audit),
    ),
  },
  {
    paths: ['/settings/webhook', '/settings/webhook/$id'],
    search: ['status', 'event', 'from', 'to', 'transaction', 'endpoint'],
    view: later(() =>
      import('../screens/settings/webhook/index.tsx').then((file) => file.WebhookSettings),
    ),
  },
  {
    paths: ['/settings/organization'],
    search: ['freeze'],
    view: later(() =>
      import('../screens/settings/organization/index.tsx').then(
        (file) => file.OrganizationSettings,
      ),
    ),
  },
  {
    paths: ['/settings/members'],
    view: later(() =>
      import('../screens/settings/members/index.tsx').then((file) => file.MemberSettings),
    ),
  },
  {
    paths: ['/settings/me'],
    view: later(() => import('../screens/settings/me/index.tsx').then((file) => file.OwnSettings)),
  },
]
