// The page of each address of the console.
import { createElement, type ReactNode } from 'react'
import { type DefaultParams, Route, Switch, useParams } from 'wouter'
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../shared/wire/console_routes.ts'
import { NotFoundPage } from './pages/not_found_page.tsx'
import { lazyPage } from './ui/lazy.tsx'

type Page = {
  readonly show: (params: DefaultParams) => ReactNode
  /** The page is also shown without a key. */
  readonly signedOut?: true
}

const ApiKeysPage = lazyPage(async () => (await import('./pages/api_keys_page.tsx')).ApiKeysPage)
const ApplicationsPage = lazyPage(
  async () => (await import('./pages/applications_page.tsx')).ApplicationsPage,
)
const BlockPage = lazyPage(async () => (await import('./pages/block_page.tsx')).BlockPage)
const ChainPage = lazyPage(async () => (await import('./pages/chain_page.tsx')).ChainPage)
const ConnectionPage = lazyPage(async () => (await import('./pages/connection_page.tsx')).ConnectionPage)
const DrawPage = lazyPage(async () => (await import('./pages/draw_page.tsx')).DrawPage)
const EntropyPage = lazyPage(async () => (await import('./pages/entropy_page.tsx')).EntropyPage)
const GraphiqlPage = lazyPage(async () => (await import('./pages/graphiql_page.tsx')).GraphiqlPage)
const ItemPage = lazyPage(async () => (await import('./pages/item_page.tsx')).ItemPage)
const ItemsPage = lazyPage(async () => (await import('./pages/items_page.tsx')).ItemsPage)
const NewItemPage = lazyPage(async () => (await import('./pages/new_item_page.tsx')).NewItemPage)
const NowPage = lazyPage(async () => (await import('./pages/now_page.tsx')).NowPage)
const OpenFrame = lazyPage(async () => (await import('./open_frame.tsx')).OpenFrame)
const PasswordPage = lazyPage(async () => (await import('./pages/password_page.tsx')).PasswordPage)
const SessionsPage = lazyPage(async () => (await import('./pages/sessions_page.tsx')).SessionsPage)
const TeamPage = lazyPage(async () => (await import('./pages/team_page.tsx')).TeamPage)
const TeamsPage = lazyPage(async () => (await import('./pages/teams_page.tsx')).TeamsPage)
const VerifyPage = lazyPage(async () => (await import('./pages/verify_page.tsx')).VerifyPage)
const WebhookDeliveriesPage = lazyPage(
  async () => (await import('./pages/webhook_deliveries_page.tsx')).WebhookDeliveriesPage,
)
const WebhookDeliveryPage = lazyPage(
  async () => (await import('./pages/webhook_delivery_page.tsx')).WebhookDeliveryPage,
)
const WebhookEndpointPage = lazyPage(
  async () => (await import('./pages/webhook_endpoint_page.tsx')).WebhookEndpointPage,
)
const WebhookNewPage = lazyPage(async () => (await import('./pages/webhook_new_page.tsx')).WebhookNewPage)
const WebhookReceiverPage = lazyPage(
  async () => (await import('./pages/webhook_receiver_page.tsx')).WebhookReceiverPage,
)
const WebhooksPage = lazyPage(async () => (await import('./pages/webhooks_page.tsx')).WebhooksPage)

const pages: Readonly<Record<ConsoleRoute, Page>> = {
  '/': { show: () => <NowPage /> },
  '/chain': { show: () => <ChainPage hash={null} /> },
  '/beacons/:hash': { show: ({ hash = '' }) => beaconAt(hash.toLowerCase()) },
  '/beacons/:hash/draw': { show: ({ hash = '' }) => drawFrom(hash.toLowerCase()) },
  '/items': { show: () => <ItemsPage /> },
  '/items/new': { show: () => <NewItemPage /> },
  '/items/:id': { show: ({ id = '' }) => <ItemPage key={id} id={id} /> },
  '/blocks/:id': { show: ({ id = '' }) => <BlockPage key={id} id={id} /> },
  '/entropy/:id': { show: ({ id = '' }) => <EntropyPage key={id} id={id} /> },
  '/verify': { signedOut: true, show: () => <VerifyPage named={null} /> },
  '/verify/:type/:id': {
    signedOut: true,
    show: ({ type = '', id = '' }) => <VerifyPage named={{ type, id }} />,
  },
  '/webhooks': { show: () => <WebhooksPage /> },
  '/webhooks/new': { show: () => <WebhookNewPage /> },
  '/webhooks/deliveries': { show: () => <WebhookDeliveriesPage /> },
  '/webhooks/deliveries/:id': { show: ({ id = '' }) => <WebhookDeliveryPage key={id} id={id} /> },
  '/webhooks/receiver': { show: () => <WebhookReceiverPage /> },
  '/webhooks/:id': { show: ({ id = '' }) => <WebhookEndpointPage key={id} id={id} /> },
  '/connection': { show: () => <ConnectionPage /> },
  '/graphiql': { show: () => <GraphiqlPage /> },
  // Before the page is shown, the session has replaced this address (data/sign_in_trip).
  '/signed-in': { signedOut: true, show: () => <NotFoundPage /> },
  '/account/keys': { show: () => <ApiKeysPage /> },
  '/account/teams': { show: () => <TeamsPage /> },
  '/account/teams/:id': { show: ({ id = '' }) => <TeamPage key={id} id={id} /> },
  '/account/sessions': { show: () => <SessionsPage /> },
  '/account/applications': { show: () => <ApplicationsPage /> },
  '/account/password': { show: () => <PasswordPage /> },
}

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
    ...CONSOLE_ROUTES.map((path) =>
      createElement(Route, { path }, createElement(Shown, { page: pages[path], signIn })),
    ),
    createElement(Route, null, <NotFoundPage />),
  )

type ShownProps = {
  readonly page: Page
  /** Shown in place of a page that needs a key. Null when a key is signed in. */
  readonly signIn: ReactNode
}

const Shown = ({ page, signIn }: ShownProps) => {
  const params = useParams()
  if (signIn !== null && page.signedOut === undefined) return signIn
  const shown = page.show(params)
  return signIn === null ? shown : <OpenFrame>{shown}</OpenFrame>
}
