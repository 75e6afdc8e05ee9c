// Checks that the database of every purpose behind a pooler answers, and sets the ceilings of its sessions.
import { checkDatabase } from './check_database.ts'
import { pooledUrls } from './pooled_url.ts'
import { ceilingsOf } from './purposes.ts'

/** @throws as {@link checkDatabase} does, for the first database that is unusable */
export async function checkPooler(url: string, setting: string): Promise<void> {
  for (const [purpose, address] of pooledUrls(url)) await checkDatabase(address, setting, ceilingsOf(purpose))
}
