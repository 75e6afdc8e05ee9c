// The recommended shape of an installation, small: a primary, a synchronous standby, three servers, one balancer.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { openStore } from '../../server/store/open_store.ts'
import { withSession } from '../../server/store/session.ts'
import { startedFolder } from '../store/embedded_support.ts'
import { type Balancer, openBalancer } from '../support/balancer.ts'
import { freePort } from '../support/free_port.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { type ServerProcess, spawnServer } from '../support/server_process.ts'
import { openStandby } from '../support/standby.ts'
import { openSwitchedAddress } from '../support/switched_address.ts'
import { makeMemoryFolder } from '../support/temporary_folder.ts'

export interface Fleet {
  readonly servers: ServerProcess[]
  readonly ports: readonly number[]
  readonly balancer: Balancer
  /** Of an enterprise account. */
  readonly key: string
  /**
   * Stops the server with this number, and starts it again on its port. Its delay lasts until the balancer has noticed the
   * stop and `left` has resolved, which a machine that is late may be with both.
   */
  readonly restart: (index: number, left: () => Promise<unknown>) => Promise<void>
  /** Kills the server with this number, and starts it again on its port. */
  readonly kill: (index: number) => Promise<void>
  /** On the database that the servers use. */
  readonly query: <Row extends object>(text: string, parameters?: unknown[]) => Promise<Row[]>
  readonly onStandby: <Row extends object>(text: string) => Promise<Row[]>
  /** Kills the primary, and leads the servers to the standby, which takes writes from then on. */
  readonly failOver: () => Promise<void>
  readonly close: () => Promise<void>
}

const SERVERS = 3

/** Three servers and two databases take their time on a machine that is busy otherwise. */
export const SOON = { timeout: 140_000 }

/** Tests kill processes only, and what was given to the operating system survives that. */
const SETTINGS = { fsync: 'off', shared_buffers: '32MB' }

export async function openFleet(): Promise<Fleet> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const home = await makeMemoryFolder('pharos-fleet-')
    undo.push(() => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
    const path = await startedFolder(join(home, 'primary'))
    const folder = await openDataFolder(path)
    undo.push(() => folder.release())
    const primary = await startEmbeddedPostgres({ folder, settings: SETTINGS, log: () => undefined })
    undo.push(() => primary.stop())
    const standby = await openStandby({
      primary: { ...primary, path },
      path: join(home, 'standby'),
      name: 'standby',
      settings: SETTINGS,
    })
    undo.push(() => standby.stop())
    await withSession(primary.superuserUrl, async (session) => {
      await session.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
      await session.query('SELECT pg_reload_conf()')
      // From here on a commit waits for the standby.
      for (;;) {
        const { rows } = await session.query('SELECT sync_state FROM pg_stat_replication')
        if (rows[0]?.sync_state === 'sync') break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    const address = await openSwitchedAddress(primary.url)
    undo.push(address.close)
    const url = address.through(primary.url)

    const start = (port: number): ServerProcess =>
      spawnServer({
        PORT: String(port),
        DATABASE_URL: url,
        READ_DATABASE_URL: standby.url,
        DATABASE_POOL_SIZE: '12',
        MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
        DATA_DIR: join(home, 'server'),
        BLOCK_INTERVAL: '1s',
        // `restart` ends the delay.
        STOP_DELAY: '60s',
        LOG_LEVEL: 'warn',
        // A busy machine is often late, which is no fault of a restart.
        LIMIT_LOOP_DELAY_MS: '600000',
        LIMIT_CALLER_PER_MINUTE: '1000000',
        LIMIT_ADDRESS_PER_MINUTE: '1000000',
      })
    const ports = await Promise.all(Array.from({ length: SERVERS }, freePort))
    const servers = ports.map(start)
    undo.push(async () => {
      for (const { kill } of servers) kill('SIGKILL')
      await Promise.all(servers.map(({ ended }) => ended))
    })
    await Promise.all(servers.map(({ ready }) => ready))
    const balancer = await openBalancer(ports)
    undo.push(balancer.close)

    const store = openStore({ url, poolSize: 1 })
    const { userId } = await createAccount(store.em(), {
      email: 'ada@example.com',
      firstName: 'Ada',
      plan: 'enterprise',
    })
    const { secret } = await createApiKey(store.em(), { userId, name: 'test' })
    await store.close()

    const serverAt = (index: number): ServerProcess =>
      servers[index] ?? expect.fail(`There is no server ${index}.`)
    const startAgain = async (index: number): Promise<void> => {
      const fresh = start(ports[index] ?? expect.fail(`There is no server ${index}.`))
      servers[index] = fresh
      await fresh.ready
      await expect.poll(balancer.taking, SOON).toContain(ports[index])
    }
    const ask = <Row extends object>(from: string, text: string, parameters: unknown[] = []) =>
      withSession(from, async (session) => (await session.query<Row>(text, parameters)).rows)
    return {
      servers,
      ports,
      balancer,
      key: secret,
      restart: async (index, left) => {
        const server = serverAt(index)
        server.kill('SIGTERM')
        await expect.poll(balancer.taking, SOON).not.toContain(ports[index])
        await left()
        server.kill('SIGINT')
        expect(await server.ended).toEqual({ code: 0, signal: null })
        await startAgain(index)
      },
      kill: async (index) => {
        const server = serverAt(index)
        server.kill('SIGKILL')
        await server.ended
        await startAgain(index)
      },
      query: (text, parameters) => ask(url, text, parameters),
      onStandby: (text) => ask(standby.superuserUrl, text),
      failOver: async () => {
        const [pid] = (await readFile(join(primary.cluster, 'postmaster.pid'), 'utf8')).split('\n')
        process.kill(Number(pid), 'SIGKILL')
        address.leadTo(standby.url)
        await primary.stop()
        await standby.promote()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
