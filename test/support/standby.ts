// A standby of an embedded cluster, made by a base backup of the running primary: streams from it, and can be promoted.
import { chown, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBaseBackup } from '../../server/store/embedded/base_backup.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { withSession } from '../../server/store/session.ts'

export interface Standby extends EmbeddedPostgres {
  /** Ends replication. It takes writes from here on. */
  readonly promote: () => Promise<void>
}

/**
 * @param primary its data folder and its database
 * @param path the data folder of the standby; must not exist, and every account must be able to enter its parent
 * @param name what the primary knows it by, for its `synchronous_standby_names`
 */
export async function openStandby({
  primary,
  path,
  name,
  settings = {},
}: {
  readonly primary: Pick<EmbeddedPostgres, 'superuserUrl' | 'cluster'> & { readonly path: string }
  readonly path: string
  readonly name: string
  readonly settings?: Readonly<Record<string, string>>
}): Promise<Standby> {
  const folder = await openDataFolder(path)
  try {
    await copyPrimary(primary, path, name)
    const postgres = await startEmbeddedPostgres({ folder, settings, log: () => undefined })
    return {
      ...postgres,
      promote: async () => {
        await withSession(postgres.superuserUrl, (session) => session.query('SELECT pg_promote(true, 60)'))
      },
      stop: async () => {
        await postgres.stop()
        await folder.release()
      },
    }
  } catch (error) {
    await folder.release()
    throw error
  }
}

async function copyPrimary(
  { superuserUrl, cluster, path: from }: { superuserUrl: string; cluster: string; path: string },
  path: string,
  name: string,
): Promise<void> {
  const to = join(path, 'postgres')
  await mkdir(to, { mode: 0o700 })
  await makeBaseBackup({ superuserUrl, cluster, to, beforeEnd: async () => undefined })
  const { hostname, port, username, password } = new URL(superuserUrl)
  await writeFile(join(to, 'standby.signal'), '')
  await writeFile(
    join(to, 'postgresql.auto.conf'),
    `${await readFile(join(to, 'postgresql.auto.conf'), 'utf8')}primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password} application_name=${name}'\n`,
  )
  for (const secret of ['superuser_password', 'database_password'])
    await cp(join(from, secret), join(path, secret))
  const { uid, gid } = await stat(cluster)
  if (uid === process.getuid?.()) return
  for (const entry of ['', ...(await readdir(to, { recursive: true }))])
    await chown(join(to, entry), uid, gid)
}
