// The tables of the knowledge base, made in a test's own database where the template does not have them yet.
import { Migration0004Knowledge } from '../../../server/store/migrations/0004_knowledge.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { row, rows } from '../../../server/store/rows.ts'

export async function createKnowledgeTables({ orm, em }: Store): Promise<void> {
  const { there } = await row<{ there: boolean }>(
    em(),
    `SELECT to_regclass('knowledge_articles') IS NOT NULL AS there`,
  )
  if (there) return
  const migration = new Migration0004Knowledge(orm.em.getDriver(), orm.config)
  migration.up()
  for (const query of migration.getQueries()) await rows(em(), String(query))
}
