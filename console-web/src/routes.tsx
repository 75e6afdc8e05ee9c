// The page of each address of the console.
import type { ComponentType, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { CONSOLE_ROUTES, type ConsoleRoute, routePattern } from '../../shared/wire/console_routes.ts'
import { Lighthouse } from './ui/lighthouse.tsx'
import { lazyPage } from './ui/load/lazy.tsx'

type Load<Name extends string, Props> = () => Promise<Readonly<Record<Name, ComponentType<Props>>>>

/** What comes when it is shown first, by the name that its file gives it. */
const part = <Name extends string, Props extends object>(load: Load<Name, Props>, name: Name) =>
  lazyPage(async () => (await load())[name])

/** A page of what the address names, if it names something. It is another page for another thing. */
const page = <Name extends string>(load: Load<Name, { readonly id: string }>, name: Name) => {
  const Page = part(load, name)
  return ({ id = '' }: Names) => <Page key={id} id={id} />
}

const ChainPage = part(() => import('./pages/chain_page.tsx'), 'ChainPage')
const DrawPage = part(() => import('./pages/draw_page.tsx'), 'DrawPage')
const Frame = part(() => import('./shell/frame.tsx'), 'Frame')
const VerifyPage = part(() => import('./pages/verify_page.tsx'), 'VerifyPage')

/** What an address names, e.g. `id`. */
type Names = { readonly [name: string]: string }

const pages: Readonly<Record<ConsoleRoute, (names: Names) => ReactNode>> = {
  '/': page(() => import('./pages/now_page.tsx'), 'NowPage'),
  '/chain': () => <ChainPage hash={null} />,
  '/beacons/:hash': ({ hash = '' }) => beaconAt(hash.toLowerCase()),
  '/beacons/:hash/draw': ({ hash = '' }) => drawFrom(hash.toLowerCase()),
  '/items': page(() => import('./pages/items_page.tsx'), 'ItemsPage'),
  '/items/new': page(() => import('./pages/new_item_page.tsx'), 'NewItemPage'),
  '/items/:id': page(() => import('./pages/item_page.tsx'), 'ItemPage'),
  '/blocks/:id': page(() => import('./pages/block_page.tsx'), 'BlockPage'),
  '/entropy/:id': page(() => import('./pages/entropy_page.tsx'), 'EntropyPage'),
  '/verify': () => <VerifyPage named={null} />,
  '/verify/:type/:id': ({ type = '', id = '' }) => <VerifyPage named={{ type, id }} />,
  '/webhooks': page(() => import('./pages/webhooks_page.tsx'), 'WebhooksPage'),
  '/webhooks/new': page(() => import('./pages/webhook_new_page.tsx'), 'WebhookNewPage'),
  '/webhooks/deliveries': page(() => import('./pages/webhook_deliveries_page.tsx'), 'WebhookDeliveriesPage'),
  '/webhooks/deliveries/:id': page(() => import('./pages/webhook_delivery_page.tsx'), 'WebhookDeliveryPage'),
  '/webhooks/receiver': page(() => import('./pages/webhook_receiver_page.tsx'), 'WebhookReceiverPage'),
  '/webhooks/:id': page(() => import('./pages/webhook_endpoint_page.tsx'), 'WebhookEndpointPage'),
  '/connection': page(() => import('./pages/connection_page.tsx'), 'ConnectionPage'),
  '/graphiql': page(() => import('./pages/graphiql_page.tsx'), 'GraphiqlPage'),
  // Before the page is shown, the session has replaced this address (session/sign_in_trip.ts).
  '/signed-in': () => <NotFoundPage />,
  '/account/keys': page(() => import('./pages/account/api_keys_page.tsx'), 'ApiKeysPage'),
  '/account/teams': page(() => import('./pages/account/teams_page.tsx'), 'TeamsPage'),
  '/account/teams/:id': page(() => import('./pages/account/team_page.tsx'), 'TeamPage'),
  '/account/sessions': page(() => import('./pages/account/sessions_page.tsx'), 'SessionsPage'),
  '/account/applications': page(() => import('./pages/account/applications_page.tsx'), 'ApplicationsPage'),
  '/account/password': page(() => import('./pages/account/password_page.tsx'), 'PasswordPage'),
}

/** Shown without a key too. */
const OPEN: ReadonlySet<string> = new Set<ConsoleRoute>(['/verify', '/verify/:type/:id', '/signed-in'])

/** `next` is the first beacon at or after the time in the address. */
const drawFrom = (hash: string): ReactNode =>
  hash === 'next' || isHash(hash) ? <DrawPage hash={hash === 'next' ? null : hash} /> : <NotFoundPage />

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const beaconAt = (hash: string): ReactNode => (isHash(hash) ? <ChainPage hash={hash} /> : <NotFoundPage />)

/**
 * When only the address of a page changes, the page and its state stay.
 * @param signIn shown in place of a page that needs a key. Null when a key is signed in.
 */
export const Routes = ({ signIn }: { signIn: ReactNode }) => {
  const [path] = useLocation()
  for (const route of CONSOLE_ROUTES) {
    const match = routePattern(route).exec(path)
    if (match === null) continue
    if (signIn !== null && !OPEN.has(route)) return signIn
    const shown = pages[route](match.groups ?? {})
    return signIn === null ? shown : <Frame>{shown}</Frame>
  }
  return <NotFoundPage />
}

const NotFoundPage = () => (
  <main className="quiet-page">
    <title>Not found · Pharos</title>
    <Lighthouse />
    <h1>There is no such page</h1>
    <p>
      The console has no page at <code>{window.location.pathname}</code>. If a link brought you here, it may
      be cut short: a beacon’s address ends in 64 hex characters.
    </p>
    <Link to="/" className="button primary">
      Back to the first page
    </Link>
  </main>
)
