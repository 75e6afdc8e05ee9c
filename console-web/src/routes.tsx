// The page of each address of the console.
import { createElement, type ReactNode } from 'react'
import { type DefaultParams, Route, Switch, useParams } from 'wouter'
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../shared/wire/console_routes.ts'
import { NotFoundPage } from './pages/not_found_page.tsx'
import { lazyCode } from './ui/lazy_code.tsx'
import { LazyPage } from './ui/lazy_page.tsx'

type Page = {
  readonly show: (params: DefaultParams) => ReactNode
  /** The code of the page is loaded when the page is shown. */
  readonly lazy?: true
  /** The page is also shown without a key. */
  readonly signedOut?: true
}

const ApiKeysPage = lazyCode(async () => (await import('./pages/api_keys_page.tsx')).ApiKeysPage)
const ApplicationsPage = lazyCode(
  async () => (await import('./pages/applications_page.tsx')).ApplicationsPage,
)
const BlockPage = lazyCode(async () => (await import('./pages/block_page.tsx')).BlockPage)
const ChainPage = lazyCode(async () => (await import('./pages/chain_page.tsx')).ChainPage)
const ConnectionPage = lazyCode(async () => (await import('./pages/connection_page.tsx')).ConnectionPage)
const DrawPage = lazyCode(async () => (await import('./pages/draw_page.tsx')).DrawPage)
const EntropyPage = lazyCode(async () => (await import('./pages/entropy_page.tsx')).EntropyPage)
const GraphiqlPage = lazyCode(async () => (await import('./pages/graphiql_page.tsx')).GraphiqlPage)
const ItemPage = lazyCode(async () => (await import('./pages/item_page.tsx')).ItemPage)
const ItemsPage = lazyCode(async () => (await import('./pages/items_page.tsx')).ItemsPage)
const NewItemPage = lazyCode(async () => (await import('./pages/new_item_page.tsx')).NewItemPage)
const NowPage = lazyCode(async () => (await import('./pages/now_page.tsx')).NowPage)
const OpenFrame = lazyCode(async () => (await import('./open_frame.tsx')).OpenFrame)
const PasswordPage = lazyCode(async () => (await import('./pages/password_page.tsx')).PasswordPage)
const SessionsPage = lazyCode(async () => (await import('./pages/sessions_page.tsx')).SessionsPage)
const TeamPage = lazyCode(async () => (await import('./pages/team_page.tsx')).TeamPage)
const TeamsPage = lazyCode(async () => (await import('./pages/teams_page.tsx')).TeamsPage)
const VerifyPage = lazyCode(async () => (await import('./pages/verify_page.tsx')).VerifyPage)
const WebhookDeliveriesPage = lazyCode(
  async () => (await import('./pages/webhook_deliveries_page.tsx')).WebhookDeliveriesPage,
)
const WebhookDeliveryPage = lazyCode(
  async () => (await import('./pages/webhook_delivery_page.tsx')).WebhookDeliveryPage,
)
const WebhookEndpointPage = lazyCode(
  async () => (await import('./pages/webhook_endpoint_page.tsx')).WebhookEndpointPage,
)
const WebhookNewPage = lazyCode(async () => (await import('./pages/webhook_new_page.tsx')).WebhookNewPage)
const WebhookReceiverPage = lazyCode(
  async () => (await import('./pages/webhook_receiver_page.tsx')).WebhookReceiverPage,
)
const WebhooksPage = lazyCode(async () => (await import('./pages/webhooks_page.tsx')).WebhooksPage)

const pages: Readonly<Record<ConsoleRoute, Page>> = {
  '/': { lazy: true, show: () => <NowPage /> },
  '/chain': { lazy: true, show: () => <ChainPage hash={null} /> },
  '/beacons/:hash': { lazy: true, show: ({ hash = '' }) => beaconAt(hash.toLowerCase()) },
  '/beacons/:hash/draw': { lazy: true, show: ({ hash = '' }) => drawFrom(hash.toLowerCase()) },
  '/items': { lazy: true, show: () => <ItemsPage /> },
  '/items/new': { lazy: true, show: () => <NewItemPage /> },
  '/items/:id': { lazy: true, show: ({ id = '' }) => <ItemPage key={id} id={id} /> },
  '/blocks/:id': { lazy: true, show: ({ id = '' }) => <BlockPage key={id} id={id} /> },
  '/entropy/:id': { lazy: true, show: ({ id = '' }) => <EntropyPage key={id} id={id} /> },
  '/verify': { lazy: true, signedOut: true, show: () => <VerifyPage named={null} /> },
  '/verify/:type/:id': {
    lazy: true,
    signedOut: true,
    show: ({ type = '', id = '' }) => <VerifyPage named={{ type, id }} />,
  },
  '/webhooks': { lazy: true, show: () => <WebhooksPage /> },
  '/webhooks/new': { lazy: true, show: () => <WebhookNewPage /> },
  '/webhooks/deliveries': { lazy: true, show: () => <WebhookDeliveriesPage /> },
  '/webhooks/deliveries/:id': { lazy: true, show: ({ id = '' }) => <WebhookDeliveryPage key={id} id={id} /> },
  '/webhooks/receiver': { lazy: true, show: () => <WebhookReceiverPage /> },
  '/webhooks/:id': { lazy: true, show: ({ id = '' }) => <WebhookEndpointPage key={id} id={id} /> },
  '/connection': { lazy: true, show: () => <ConnectionPage /> },
  '/graphiql': { lazy: true, show: () => <GraphiqlPage /> },
  // Before the page is shown, the session has replaced this address (data/sign_in_trip).
  '/signed-in': { signedOut: true, show: () => <NotFoundPage /> },
  '/account/keys': { lazy: true, show: () => <ApiKeysPage /> },
  '/account/teams': { lazy: true, show: () => <TeamsPage /> },
  '/account/teams/:id': { lazy: true, show: ({ id = '' }) => <TeamPage key={id} id={id} /> },
  '/account/sessions': { lazy: true, show: () => <SessionsPage /> },
  '/account/applications': { lazy: true, show: () => <ApplicationsPage /> },
  '/account/password': { lazy: true, show: () => <PasswordPage /> },
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
  const shown = page.lazy ? <LazyPage>{page.show(params)}</LazyPage> : page.show(params)
  if (signIn === null) return shown
  return (
    <LazyPage>
      <OpenFrame>{shown}</OpenFrame>
    </LazyPage>
  )
}
