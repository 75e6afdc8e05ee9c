// The addresses that are pages of the console. The server answers them with 200, and the console displays the
// page. The first matching pattern wins.

/** The expression has a group for each name. Ignores slashes at the end and doubled slashes. */
export const routePattern = (pattern: string): RegExp => {
  const segments = pattern.split('/').filter((part) => part !== '')
  const wanted = segments.map((part) => (part.startsWith(':') ? `/+(?<${part.slice(1)}>[^/]+)` : `/+${part}`))
  return new RegExp(`^${wanted.join('')}/*$`)
}

export const CONSOLE_ROUTES = [
  '/',
  '/chain',
  '/beacons/:hash',
  '/beacons/:hash/draw',
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
  '/webhooks/receiver',
  '/webhooks/:id',
  '/connection',
  '/graphiql',
  '/signed-in',
  '/account/keys',
  '/account/teams',
  '/account/teams/:id',
  '/account/sessions',
  '/account/applications',
  '/account/password',
] as const

export type ConsoleRoute = (typeof CONSOLE_ROUTES)[number]
