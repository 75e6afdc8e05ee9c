// `npm run routes`: prints every published route.
import { catalog } from './catalog/catalog.ts'
import { checkCatalog } from './catalog/check.ts'
import { routeList } from './catalog/route_list.ts'

checkCatalog(catalog)
process.stdout.write(routeList(catalog, '/api/json'))
