// The record of a release: its database as SQL, and on the first line what its service knew.
import type { Client } from 'pg'
import { firstKey } from '../support/first_key.ts'
import { spawnServer } from '../support/server_process.ts'
import { dumpDatabase } from './release_dump.ts'
import { type Life, liveALife } from './release_life.ts'

export const RELEASE_KEY = '0b'.repeat(32)

/** A server that makes blocks and epochs quickly, all by itself. */
export const serverOn = (url: string, dataDir: string) =>
  spawnServer({
    DATABASE_URL: url,
    MASTER_KEY: RELEASE_KEY,
    DATA_DIR: dataDir,
    BLOCK_INTERVAL: '1s',
    PUBLIC_CHAINS: '',
    EPOCH_INTERVAL_EMBEDDED: '1s',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
  })

/** Runs the service on an empty database, lives a life with it, and writes down what is left. */
export async function recordRelease(session: Client, url: string, dataDir: string): Promise<string> {
  const server = serverOn(url, dataDir)
  const base = await server.ready
  const key = await firstKey(dataDir, base)
  const life = await liveALife(base, key)
  server.kill('SIGTERM')
  await server.ended
  return `-- ${JSON.stringify(life)}\n${await dumpDatabase(session)}`
}

/** What is known is what was written: our own file, never anything from outside. */
export const lifeOf = (text: string): Life => JSON.parse(text.slice(3, text.indexOf('\n')))
