// The pages of the console, one line each. The first row whose path fits wins.
import { lazy, type ReactNode } from 'react'
import { BeaconsPage } from '../pages/beacons_page.tsx'
import { NotFoundPage } from '../pages/not_found_page.tsx'
import { LazyPage } from '../parts/lazy_page.tsx'
import type { Params } from './match_route.ts'

export type Route = {
  readonly path: string
  readonly show: (params: Params) => ReactNode
  /** Shown without a key as well. */
  readonly signedOut?: true
}

const BlockPage = lazy(async () => ({ default: (await import('../pages/block_page.tsx')).BlockPage }))
const EntropyPage = lazy(async () => ({ default: (await import('../pages/entropy_page.tsx')).EntropyPage }))
const GraphiqlPage = lazy(async () => ({
  default: (await import('../pages/graphiql_page.tsx')).GraphiqlPage,
}))
const ItemPage = lazy(async () => ({ default: (await import('../pages/item_page.tsx')).ItemPage }))
const ItemsPage = lazy(async () => ({ default: (await import('../pages/items_page.tsx')).ItemsPage }))
const NewItemPage = lazy(async () => ({ default: (await import('../pages/new_item_page.tsx')).NewItemPage }))
const VerifyPage = lazy(async () => ({ default: (await import('../pages/verify_page.tsx')).VerifyPage }))
const WebhookDeliveriesPage = lazy(async () => ({
  default: (await import('../pages/webhook_deliveries_page.tsx')).WebhookDeliveriesPage,
}))
const WebhookDeliveryPage = lazy(async () => ({
  default: (await import('../pages/webhook_delivery_page.tsx')).WebhookDeliveryPage,
}))
const WebhookEndpointPage = lazy(async () => ({
  default: (await import('../pages/webhook_endpoint_page.tsx')).WebhookEndpointPage,
}))
const WebhookNewPage = lazy(async () => ({
  default: (await import('../pages/webhook_new_page.tsx')).WebhookNewPage,
}))
const WebhooksPage = lazy(async () => ({
  default: (await import('../pages/webhooks_page.tsx')).WebhooksPage,
}))

export const routes: readonly Route[] = [
  { path: '/', show: () => <BeaconsPage hash={null} /> },
  { path: '/beacons/:hash', show: ({ hash = '' }) => beaconAt(hash.toLowerCase()) },
  {
    path: '/items',
    show: () => (
      <LazyPage>
        <ItemsPage />
      </LazyPage>
    ),
  },
  {
    path: '/items/new',
    show: () => (
      <LazyPage>
        <NewItemPage />
      </LazyPage>
    ),
  },
  {
    path: '/items/:id',
    show: ({ id = '' }) => (
      <LazyPage>
        <ItemPage key={id} id={id} />
      </LazyPage>
    ),
  },
  {
    path: '/blocks/:id',
    show: ({ id = '' }) => (
      <LazyPage>
        <BlockPage key={id} id={id} />
      </LazyPage>
    ),
  },
  {
    path: '/entropy/:id',
    show: ({ id = '' }) => (
      <LazyPage>
        <EntropyPage key={id} id={id} />
      </LazyPage>
    ),
  },
  {
    path: '/verify',
    signedOut: true,
    show: () => (
      <LazyPage>
        <VerifyPage named={null} />
      </LazyPage>
    ),
  },
  {
    path: '/verify/:type/:id',
    signedOut: true,
    show: ({ type = '', id = '' }) => (
      <LazyPage>
        <VerifyPage named={{ type, id }} />
      </LazyPage>
    ),
  },
  {
    path: '/webhooks',
    show: () => (
      <LazyPage>
        <WebhooksPage />
      </LazyPage>
    ),
  },
  {
    path: '/webhooks/new',
    show: () => (
      <LazyPage>
        <WebhookNewPage />
      </LazyPage>
    ),
  },
  {
    path: '/webhooks/deliveries',
    show: () => (
      <LazyPage>
        <WebhookDeliveriesPage />
      </LazyPage>
    ),
  },
  {
    path: '/webhooks/deliveries/:id',
    show: ({ id = '' }) => (
      <LazyPage>
        <WebhookDeliveryPage key={id} id={id} />
      </LazyPage>
    ),
  },
  {
    path: '/webhooks/:id',
    show: ({ id = '' }) => (
      <LazyPage>
        <WebhookEndpointPage key={id} id={id} />
      </LazyPage>
    ),
  },
  {
    path: '/graphiql',
    show: () => (
      <LazyPage>
        <GraphiqlPage />
      </LazyPage>
    ),
  },
]

const beaconAt = (hash: string): ReactNode =>
  /^[0-9a-f]{64}$/.test(hash) ? <BeaconsPage hash={hash} /> : <NotFoundPage />
