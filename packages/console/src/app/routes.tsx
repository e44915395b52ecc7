import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { listPane as auditList } from '../screens/audit/list-part.ts'
import { listPane as transactionList } from '../screens/transactions/list-part.ts'
import { type Later, preload } from '../ui/later.ts'
import { NotFound } from './not-found.tsx'
import { RouteError } from './route-error.tsx'
import { known } from './search.ts'
import { enterConsole, enterDoor } from './session-gate.ts'

interface Context {
  readonly client: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: () => <NotFound />,
  errorComponent: RouteError,
})

/** A child that only opens a drawer: the screen of its parent reads the id. */
const drawer = () => null

/** Loads a list with its screen. A link to one thing draws its drawer first, and its list later. */
function withList<T>(screen: Promise<T>, list: Later<unknown>): Promise<T> {
  if (!/^\/(transactions|audit)\/./.test(location.pathname)) preload(list)
  return screen
}

// The doors, for people who have not signed in.

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: known('next'),
  beforeLoad: enterDoor,
  component: lazyRouteComponent(() => import('../screens/doors/sign-in.tsx'), 'SignIn'),
})
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../screens/doors/setup.tsx'), 'Setup'),
})
const accept = createRoute({
  getParentRoute: () => root,
  path: '/accept',
  component: lazyRouteComponent(() => import('../screens/doors/accept.tsx'), 'Accept'),
})

// The console. Its frame and each page are files of their own. A page loads when it is opened or
// pointed at.

const inside = createRoute({
  getParentRoute: () => root,
  id: 'console',
  beforeLoad: enterConsole,
  component: lazyRouteComponent(() => import('../shell/console.tsx'), 'Console'),
})
const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: known('range', 'from', 'to', 'currency'),
  component: lazyRouteComponent(() => import('../screens/overview/index.tsx'), 'Overview'),
})
const start = createRoute({
  getParentRoute: () => inside,
  path: '/start',
  component: lazyRouteComponent(() => import('../screens/start/index.tsx'), 'Start'),
})
const transactions = createRoute({
  getParentRoute: () => inside,
  path: '/transactions',
  validateSearch: known(
    ...['view', 'decision', 'status', 'path', 'agent', 'mandate', 'vendor', 'category', 'code'],
    ...['flagged', 'min', 'max', 'from', 'to', 'q', 'live', 'rule', 'approval', 'card', 'tab'],
  ),
  component: lazyRouteComponent(
    () => withList(import('../screens/transactions/index.tsx'), transactionList),
    'Transactions',
  ),
})
const transaction = createRoute({
  getParentRoute: () => transactions,
  path: '$id',
  component: drawer,
})
const approvals = createRoute({
  getParentRoute: () => inside,
  path: '/approvals',
  validateSearch: known('status', 'agent'),
  component: lazyRouteComponent(() => import('../screens/approvals/index.tsx'), 'Approvals'),
})
const approval = createRoute({ getParentRoute: () => approvals, path: '$id', component: drawer })

const agents = createRoute({
  getParentRoute: () => inside,
  path: '/agents',
  validateSearch: known('status', 'tag', 'q', 'sort', 'new'),
  component: lazyRouteComponent(() => import('../screens/agents/agents.tsx'), 'Agents'),
})
const agent = createRoute({
  getParentRoute: () => inside,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('../screens/agents/agent-page.tsx'), 'AgentPage'),
})

const mandates = createRoute({
  getParentRoute: () => inside,
  path: '/mandates',
  validateSearch: known('status', 'agent', 'archived', 'q', 'sort'),
  component: lazyRouteComponent(() => import('../screens/mandates/list/mandates.tsx'), 'Mandates'),
})
const newMandate = createRoute({
  getParentRoute: () => inside,
  path: '/mandates/new',
  validateSearch: known('agent', 'template', 'from', 'test'),
  component: lazyRouteComponent(
    () => import('../screens/mandates/editor/new-mandate.tsx'),
    'NewMandate',
  ),
})
const mandate = createRoute({
  getParentRoute: () => inside,
  path: '/mandates/$id',
  component: lazyRouteComponent(
    () => import('../screens/mandates/page/mandate-page.tsx'),
    'MandatePage',
  ),
})
const mandateEdit = createRoute({
  getParentRoute: () => inside,
  path: '/mandates/$id/edit',
  validateSearch: known('test', 'from', 'draft', 'review'),
  component: lazyRouteComponent(
    () => import('../screens/mandates/editor/mandate-editor.tsx'),
    'MandateEditor',
  ),
})
const mandateVersions = createRoute({
  getParentRoute: () => inside,
  path: '/mandates/$id/versions',
  validateSearch: known('a', 'b'),
  component: lazyRouteComponent(
    () => import('../screens/mandates/versions/mandate-versions.tsx'),
    'MandateVersions',
  ),
})
const simulator = createRoute({
  getParentRoute: () => inside,
  path: '/simulator',
  validateSearch: known('agent', 'amount', 'vendor', 'category', 'path', 'at', 'txn'),
  component: lazyRouteComponent(() => import('../screens/simulator/index.tsx'), 'Simulator'),
})
const vendors = createRoute({
  getParentRoute: () => inside,
  path: '/vendors',
  validateSearch: known('category', 'host', 'new', 'payee', 'descriptor'),
  component: lazyRouteComponent(() => import('../screens/vendors/index.tsx'), 'Vendors'),
})
const vendor = createRoute({ getParentRoute: () => vendors, path: '$id', component: drawer })
const wallets = createRoute({
  getParentRoute: () => inside,
  path: '/wallets',
  validateSearch: known('new'),
  component: lazyRouteComponent(() => import('../screens/wallets/index.tsx'), 'Wallets'),
})
const cards = createRoute({
  getParentRoute: () => inside,
  path: '/cards',
  validateSearch: known('status', 'agent', 'connection', 'new'),
  component: lazyRouteComponent(() => import('../screens/cards/index.tsx'), 'Cards'),
})
const connection = createRoute({
  getParentRoute: () => cards,
  path: 'connections/$id',
  component: drawer,
})
const keys = createRoute({
  getParentRoute: () => inside,
  path: '/keys',
  validateSearch: known('sort', 'agent', 'status'),
  component: lazyRouteComponent(() => import('../screens/keys/index.tsx'), 'Keys'),
})
const newKey = createRoute({ getParentRoute: () => keys, path: 'new', component: drawer })
const connect = createRoute({
  getParentRoute: () => inside,
  path: '/connect/{-$tab}',
  validateSearch: known('agent'),
  component: lazyRouteComponent(() => import('../screens/connect/index.tsx'), 'Connect'),
})
const reference = createRoute({
  getParentRoute: () => inside,
  path: '/reference/{-$operationId}',
  validateSearch: known('lang'),
  component: lazyRouteComponent(() => import('../screens/reference/index.tsx'), 'Reference'),
})
const audit = createRoute({
  getParentRoute: () => inside,
  path: '/audit',
  validateSearch: known('kind', 'subject', 'actor', 'from', 'to'),
  component: lazyRouteComponent(
    () => withList(import('../screens/audit/index.tsx'), auditList),
    'Audit',
  ),
})
const leaf = createRoute({ getParentRoute: () => audit, path: '$index', component: drawer })

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/organization', replace: true })
  },
})
const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhook',
  validateSearch: known('status', 'event', 'from', 'to', 'transaction', 'endpoint'),
  component: lazyRouteComponent(
    () => import('../screens/settings/webhook/index.tsx'),
    'WebhookSettings',
  ),
})
const delivery = createRoute({ getParentRoute: () => webhook, path: '$id', component: drawer })
const organization = createRoute({
  getParentRoute: () => inside,
  path: '/settings/organization',
  validateSearch: known('freeze'),
  component: lazyRouteComponent(
    () => import('../screens/settings/organization/index.tsx'),
    'OrganizationSettings',
  ),
})
const members = createRoute({
  getParentRoute: () => inside,
  path: '/settings/members',
  component: lazyRouteComponent(
    () => import('../screens/settings/members/index.tsx'),
    'MemberSettings',
  ),
})
const own = createRoute({
  getParentRoute: () => inside,
  path: '/settings/me',
  component: lazyRouteComponent(() => import('../screens/settings/me/index.tsx'), 'OwnSettings'),
})

export const routeTree = root.addChildren([
  ...[signIn, setup, accept],
  inside.addChildren([
    ...[
      overview,
      start,
      transactions.addChildren([transaction]),
      approvals.addChildren([approval]),
    ],
    ...[agents, agent, mandates, newMandate, mandate, mandateEdit, mandateVersions, simulator],
    ...[vendors.addChildren([vendor]), wallets, cards.addChildren([connection])],
    ...[keys.addChildren([newKey]), connect, reference, audit.addChildren([leaf])],
    ...[settings, webhook.addChildren([delivery]), organization, members, own],
  ]),
])
