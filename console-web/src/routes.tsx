// The page of each address of the console.
import { type ComponentType, createElement, type ReactNode } from 'react'
import { type DefaultParams, Route, Switch, useParams } from 'wouter'
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../shared/wire/console_routes.ts'
import { NotFoundPage } from './pages/not_found_page.tsx'
import { lazyPage } from './ui/load/lazy.tsx'

/** A page whose code comes when it is shown first, by the name that its file gives it. */
const page = <Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) => lazyPage(async () => (await load())[name])

const ApiKeysPage = page(() => import('./pages/account/api_keys_page.tsx'), 'ApiKeysPage')
const ApplicationsPage = page(() => import('./pages/account/applications_page.tsx'), 'ApplicationsPage')
const BlockPage = page(() => import('./pages/block_page.tsx'), 'BlockPage')
const ChainPage = page(() => import('./pages/chain_page.tsx'), 'ChainPage')
const ConnectionPage = page(() => import('./pages/connection_page.tsx'), 'ConnectionPage')
const DrawPage = page(() => import('./pages/draw_page.tsx'), 'DrawPage')
const EntropyPage = page(() => import('./pages/entropy_page.tsx'), 'EntropyPage')
const GraphiqlPage = page(() => import('./pages/graphiql_page.tsx'), 'GraphiqlPage')
const ItemPage = page(() => import('./pages/item_page.tsx'), 'ItemPage')
const ItemsPage = page(() => import('./pages/items_page.tsx'), 'ItemsPage')
const NewItemPage = page(() => import('./pages/new_item_page.tsx'), 'NewItemPage')
const NowPage = page(() => import('./pages/now_page.tsx'), 'NowPage')
const OpenFrame = page(() => import('./open_frame.tsx'), 'OpenFrame')
const PasswordPage = page(() => import('./pages/account/password_page.tsx'), 'PasswordPage')
const SessionsPage = page(() => import('./pages/account/sessions_page.tsx'), 'SessionsPage')
const TeamPage = page(() => import('./pages/account/team_page.tsx'), 'TeamPage')
const TeamsPage = page(() => import('./pages/account/teams_page.tsx'), 'TeamsPage')
const VerifyPage = page(() => import('./pages/verify_page.tsx'), 'VerifyPage')
const WebhookDeliveriesPage = page(
  () => import('./pages/webhook_deliveries_page.tsx'),
  'WebhookDeliveriesPage',
)
const WebhookDeliveryPage = page(() => import('./pages/webhook_delivery_page.tsx'), 'WebhookDeliveryPage')
const WebhookEndpointPage = page(() => import('./pages/webhook_endpoint_page.tsx'), 'WebhookEndpointPage')
const WebhookNewPage = page(() => import('./pages/webhook_new_page.tsx'), 'WebhookNewPage')
const WebhookReceiverPage = page(() => import('./pages/webhook_receiver_page.tsx'), 'WebhookReceiverPage')
const WebhooksPage = page(() => import('./pages/webhooks_page.tsx'), 'WebhooksPage')

const pages: Readonly<Record<ConsoleRoute, (params: DefaultParams) => ReactNode>> = {
  '/': () => <NowPage />,
  '/chain': () => <ChainPage hash={null} />,
  '/beacons/:hash': ({ hash = '' }) => beaconAt(hash.toLowerCase()),
  '/beacons/:hash/draw': ({ hash = '' }) => drawFrom(hash.toLowerCase()),
  '/items': () => <ItemsPage />,
  '/items/new': () => <NewItemPage />,
  '/items/:id': ({ id = '' }) => <ItemPage key={id} id={id} />,
  '/blocks/:id': ({ id = '' }) => <BlockPage key={id} id={id} />,
  '/entropy/:id': ({ id = '' }) => <EntropyPage key={id} id={id} />,
  '/verify': () => <VerifyPage named={null} />,
  '/verify/:type/:id': ({ type = '', id = '' }) => <VerifyPage named={{ type, id }} />,
  '/webhooks': () => <WebhooksPage />,
  '/webhooks/new': () => <WebhookNewPage />,
  '/webhooks/deliveries': () => <WebhookDeliveriesPage />,
  '/webhooks/deliveries/:id': ({ id = '' }) => <WebhookDeliveryPage key={id} id={id} />,
  '/webhooks/receiver': () => <WebhookReceiverPage />,
  '/webhooks/:id': ({ id = '' }) => <WebhookEndpointPage key={id} id={id} />,
  '/connection': () => <ConnectionPage />,
  '/graphiql': () => <GraphiqlPage />,
  // Before the page is shown, the session has replaced this address (session/sign_in_trip.ts).
  '/signed-in': () => <NotFoundPage />,
  '/account/keys': () => <ApiKeysPage />,
  '/account/teams': () => <TeamsPage />,
  '/account/teams/:id': ({ id = '' }) => <TeamPage key={id} id={id} />,
  '/account/sessions': () => <SessionsPage />,
  '/account/applications': () => <ApplicationsPage />,
  '/account/password': () => <PasswordPage />,
}

/** Shown without a key too. */
const OPEN: ReadonlySet<string> = new Set<ConsoleRoute>(['/verify', '/verify/:type/:id', '/signed-in'])

/** `next` is the first beacon at or after the time in the address. */
const drawFrom = (hash: string): ReactNode =>
  hash === 'next' || isHash(hash) ? <DrawPage hash={hash === 'next' ? null : hash} /> : <NotFoundPage />

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const beaconAt = (hash: string): ReactNode => (isHash(hash) ? <ChainPage hash={hash} /> : <NotFoundPage />)

/** The routes have no React keys, so when only the address of a page changes, the page and its state stay. */
export const Routes = ({ signIn }: { signIn: ReactNode }) =>
  createElement(
    Switch,
    null,
    ...CONSOLE_ROUTES.map((path) => createElement(Route, { path }, createElement(Shown, { path, signIn }))),
    createElement(Route, null, <NotFoundPage />),
  )

type ShownProps = {
  readonly path: ConsoleRoute
  /** Shown in place of a page that needs a key. Null when a key is signed in. */
  readonly signIn: ReactNode
}

const Shown = ({ path, signIn }: ShownProps) => {
  const params = useParams()
  if (signIn !== null && !OPEN.has(path)) return signIn
  const shown = pages[path](params)
  return signIn === null ? shown : <OpenFrame>{shown}</OpenFrame>
}
