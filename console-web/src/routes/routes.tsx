// The pages of the console, one line each. The first row whose path fits wins.
import { lazy, type ReactNode } from 'react'
import { BeaconsPage } from '../pages/beacons_page.tsx'
import { LaterPage } from '../pages/later_page.tsx'
import { NotFoundPage } from '../pages/not_found_page.tsx'
import { LazyPage } from '../parts/lazy_page.tsx'
import type { Params } from './match_route.ts'

export type Route = {
  readonly path: string
  readonly show: (params: Params) => ReactNode
  /** Shown without a key as well. */
  readonly signedOut?: true
}

const GraphiqlPage = lazy(async () => ({
  default: (await import('../pages/graphiql_page.tsx')).GraphiqlPage,
}))

export const routes: readonly Route[] = [
  { path: '/', show: () => <BeaconsPage hash={null} /> },
  { path: '/beacons/:hash', show: ({ hash = '' }) => beaconAt(hash.toLowerCase()) },
  {
    path: '/items/:id',
    show: ({ id = '' }) => <LaterPage what="Item" id={id} api={`/api/json/items/${id}`} />,
  },
  {
    path: '/blocks/:id',
    show: ({ id = '' }) => <LaterPage what="Block" id={id} api={`/api/json/blocks/${id}`} />,
  },
  {
    path: '/entropy/:id',
    show: ({ id = '' }) => <LaterPage what="Entropy" id={id} api={`/api/json/entropy_observations/${id}`} />,
  },
  { path: '/verify', signedOut: true, show: () => <LaterPage what="Verify" api="/api/json/proof/verify" /> },
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
