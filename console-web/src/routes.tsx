// What is shown at each address of the console.
import { lazy, type ReactNode } from 'react'
import type { ConsoleRoute } from '../../shared/wire/console_routes.ts'
import type { Params } from '../../shared/wire/match_route.ts'
import { BeaconsPage } from './pages/beacons_page.tsx'
import { NotFoundPage } from './pages/not_found_page.tsx'
import { LazyPage } from './ui/lazy_page.tsx'

export type Route = {
  readonly show: (params: Params) => ReactNode
  /** Shown without a key as well. */
  readonly signedOut?: true
}

const BlockPage = lazy(async () => ({ default: (await import('./pages/block_page.tsx')).BlockPage }))
const EntropyPage = lazy(async () => ({ default: (await import('./pages/entropy_page.tsx')).EntropyPage }))
const GraphiqlPage = lazy(async () => ({
  default: (await import('./pages/graphiql_page.tsx')).GraphiqlPage,
}))
const ItemPage = lazy(async () => ({ default: (await import('./pages/item_page.tsx')).ItemPage }))
const ItemsPage = lazy(async () => ({ default: (await import('./pages/items_page.tsx')).ItemsPage }))
const NewItemPage = lazy(async () => ({ default: (await import('./pages/new_item_page.tsx')).NewItemPage }))
const VerifyPage = lazy(async () => ({ default: (await import('./pages/verify_page.tsx')).VerifyPage }))
const WebhookDeliveriesPage = lazy(async () => ({
  default: (await import('./pages/webhook_deliveries_page.tsx')).WebhookDeliveriesPage,
}))
const WebhookDeliveryPage = lazy(async () => ({
  default: (await import('./pages/webhook_delivery_page.tsx')).WebhookDeliveryPage,
}))
const WebhookEndpointPage = lazy(async () => ({
  default: (await import('./pages/webhook_endpoint_page.tsx')).WebhookEndpointPage,
}))
const WebhookNewPage = lazy(async () => ({
  default: (await import('./pages/webhook_new_page.tsx')).WebhookNewPage,
}))
const WebhooksPage = lazy(async () => ({
  default: (await import('./pages/webhooks_page.tsx')).WebhooksPage,
}))

export const routes: Readonly<Record<ConsoleRoute, Route>> = {
  '/': { show: () => <BeaconsPage hash={null} /> },
  '/beacons/:hash': { show: ({ hash = '' }) => beaconAt(hash.toLowerCase()) },
  '/items': {
    show: () => (
      <LazyPage>
        <ItemsPage />
      </LazyPage>
    ),
  },
  '/items/new': {
    show: () => (
      <LazyPage>
        <NewItemPage />
      </LazyPage>
    ),
  },
  '/items/:id': {
    show: ({ id = '' }) => (
      <LazyPage>
        <ItemPage key={id} id={id} />
      </LazyPage>
    ),
  },
  '/blocks/:id': {
    show: ({ id = '' }) => (
      <LazyPage>
        <BlockPage key={id} id={id} />
      </LazyPage>
    ),
  },
  '/entropy/:id': {
    show: ({ id = '' }) => (
      <LazyPage>
        <EntropyPage key={id} id={id} />
      </LazyPage>
    ),
  },
  '/verify': {
    signedOut: true,
    show: () => (
      <LazyPage>
        <VerifyPage named={null} />
      </LazyPage>
    ),
  },
  '/verify/:type/:id': {
    signedOut: true,
    show: ({ type = '', id = '' }) => (
      <LazyPage>
        <VerifyPage named={{ type, id }} />
      </LazyPage>
    ),
  },
  '/webhooks': {
    show: () => (
      <LazyPage>
        <WebhooksPage />
      </LazyPage>
    ),
  },
  '/webhooks/new': {
    show: () => (
      <LazyPage>
        <WebhookNewPage />
      </LazyPage>
    ),
  },
  '/webhooks/deliveries': {
    show: () => (
      <LazyPage>
        <WebhookDeliveriesPage />
      </LazyPage>
    ),
  },
  '/webhooks/deliveries/:id': {
    show: ({ id = '' }) => (
      <LazyPage>
        <WebhookDeliveryPage key={id} id={id} />
      </LazyPage>
    ),
  },
  '/webhooks/:id': {
    show: ({ id = '' }) => (
      <LazyPage>
        <WebhookEndpointPage key={id} id={id} />
      </LazyPage>
    ),
  },
  '/graphiql': {
    show: () => (
      <LazyPage>
        <GraphiqlPage />
      </LazyPage>
    ),
  },
}

const beaconAt = (hash: string): ReactNode =>
  /^[0-9a-f]{64}$/.test(hash) ? <BeaconsPage hash={hash} /> : <NotFoundPage />
