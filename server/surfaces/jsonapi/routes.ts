// The catalog's operations as routes: finds the operation of a method and path, and the methods that a path supports.
import Router from '@koa/router'
import { API_ROOT, type Catalog, type PublishedRoute } from '../../catalog/catalog.ts'

interface FoundRoute {
  readonly route: PublishedRoute
  readonly parameters: Readonly<Record<string, string>>
}

export type RouteTable = ReturnType<typeof routeTable>

/** Fixed segments take precedence over parameters, independent of the catalog's order. */
export function routeTable({ routed }: Pick<Catalog, 'routed'>) {
  /** By the first segment of their paths, because a router tries each of its patterns in turn. */
  const routers = new Map<string, Router>()
  const routes = new Map<string, PublishedRoute>()
  for (const route of routed.toSorted((a, b) => parametersIn(a) - parametersIn(b))) {
    const [method = '', path = ''] = route.operation.http.split(' ')
    const first = segmentOf(API_ROOT + path)
    const router = routers.get(first) ?? new Router({ prefix: API_ROOT, sensitive: true, strict: true })
    routers.set(first, router)
    router.register(path, [method], async () => undefined, { name: route.operation.name })
    routes.set(route.operation.name, route)
  }
  // Paths without parameters need only one map lookup.
  const fixed = new Map<string, FoundRoute>(
    routed
      .filter((route) => parametersIn(route) === 0)
      .map((route) => [route.operation.http.replace(' ', ` ${API_ROOT}`), { route, parameters: {} }]),
  )
  return Object.freeze({
    /**
     * Returns the route, or the methods that the path supports (none for an unknown path).
     * Callers ask with GET for HEAD.
     */
    find: (method: string, path: string): FoundRoute | { readonly allow: readonly string[] } => {
      const known = fixed.get(`${method} ${path}`)
      if (known !== undefined) return known
      // Only the most specific pattern applies to a path. So PATCH /users/me is not an update
      // of a user with the id "me".
      const matched = routers.get(segmentOf(path))?.match(path, method).path ?? []
      const fewest = Math.min(...matched.map(({ paramNames }) => paramNames.length))
      const layers = matched.filter(({ paramNames }) => paramNames.length === fewest)
      const layer = layers.find(({ methods }) => methods.includes(method))
      const route = routes.get(layer?.name ?? '')
      if (layer !== undefined && route !== undefined)
        return { route, parameters: layer.params(path, layer.captures(path)) }
      return { allow: [...new Set(layers.flatMap(({ methods }) => methods))].sort() }
    },
  })
}

/** The first segment below the root of the API. */
const segmentOf = (path: string): string => path.slice(API_ROOT.length + 1).split('/', 1)[0] ?? ''

const parametersIn = ({ operation }: PublishedRoute): number => operation.http.split('/:').length - 1
