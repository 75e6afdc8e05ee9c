// The addresses that are pages of the console: the server answers them with 200, the page shows what belongs to each.
// The first that fits wins.

export const CONSOLE_ROUTES = [
  '/',
  '/beacons/:hash',
  '/items',
  '/items/new',
  '/items/:id',
  '/blocks/:id',
  '/entropy/:id',
  '/verify',
  '/verify/:type/:id',
  '/webhooks',
  '/webhooks/new',
  '/webhooks/deliveries',
  '/webhooks/deliveries/:id',
  '/webhooks/:id',
  '/graphiql',
] as const

export type ConsoleRoute = (typeof CONSOLE_ROUTES)[number]
