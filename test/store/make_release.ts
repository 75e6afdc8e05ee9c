// `npm run release`: writes down, once, what a database of this version looks like, for every later version to upgrade.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import manifest from '../../package.json' with { type: 'json' }
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { recordRelease } from './release_record.ts'

const folder = await makeTemporaryFolder('pharos-release-')
const data = await openDataFolder(join(folder, 'data'))
const postgres = await startEmbeddedPostgres({ folder: data, log: () => undefined })
try {
  const session = new pg.Client({ connectionString: postgres.url })
  await session.connect()
  const text = await recordRelease(session, postgres.url, join(folder, 'server'))
  await session.end()
  const path = join(import.meta.dirname, 'releases', `${manifest.version}.sql.gz`)
  await writeFile(path, gzipSync(text))
  process.stdout.write(`${path}\n`)
} finally {
  await postgres.stop()
  await data.release()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
