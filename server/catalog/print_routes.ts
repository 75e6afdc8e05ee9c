// `npm run routes`: prints every published route.
import { catalog } from './catalog.ts'
import { checkCatalog } from './check.ts'
import { routeList } from './route_list.ts'

checkCatalog(catalog)
process.stdout.write(routeList(catalog, '/api/json'))
