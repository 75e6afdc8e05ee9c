// Every published route as a file, so that every change of it shows in the diff. UPDATE_GOLDEN=1 renews it.
import { it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { routeList } from '../../../server/catalog/route_list.ts'
import { expectGolden } from '../http/golden.ts'

it('the routes are those of test/golden/routes.txt', () => {
  expectGolden('routes.txt', routeList(catalog))
})
