// Every published route as a file, so that every change of it shows in the diff. UPDATE_GOLDEN=1 renews it.
import { it } from 'vitest'
import { catalog, routeList } from '../../../server/catalog/catalog.ts'
import { expectGolden } from '../http/golden.ts'

it('the routes are those of test/golden/routes.txt', () => {
  expectGolden('routes.txt', routeList(catalog))
})
