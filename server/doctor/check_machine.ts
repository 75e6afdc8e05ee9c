// Checks of the machine, and of the way to it from outside.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from '../kernel/addresses.ts'
import { openFilesFor, withinOpenFiles } from '../kernel/ceilings.ts'
import { type Check, type Found, type InstalledSettings, ok, warning, wrong } from './examine.ts'

export const machineChecks = (settings: InstalledSettings): readonly Check[] => [
  { name: 'exposure', run: async () => exposure(settings) },
  { name: 'files', run: () => files(settings) },
  { name: 'disk', run: () => disk(settings) },
  { name: 'open files', run: async () => openFiles(settings) },
]

function exposure({ host, base, metricsToken }: InstalledSettings): Found {
  if (isLoopback(host)) return ok(`The server listens on ${host} only, so nobody reaches it without a proxy.`)
  const { protocol, hostname } = new URL(base)
  const isPlain = protocol === 'http:' && !isLoopback(hostname)
  return [
    metricsToken === undefined
      ? warning(
          '/metrics is closed, because HOST is no loopback address and METRICS_TOKEN is not set.',
          'Set METRICS_TOKEN to 16 characters or more, and give it to Prometheus.',
        )
      : ok('METRICS_TOKEN guards /metrics.'),
    isPlain
      ? wrong(
          `Keys and sessions travel unencrypted: HOST is ${host} and BASE_URL begins with http://.`,
          'Put a proxy with TLS in front, set HOST to 127.0.0.1, and BASE_URL to its https:// address.',
        )
      : ok(
          protocol === 'https:'
            ? 'The public address uses TLS.'
            : 'BASE_URL is an address of this machine, where nothing needs TLS.',
        ),
  ]
}

/** The group and others. */
const BEYOND_OWNER = 0o077

async function files({ dataDir, isEmbedded }: InstalledSettings): Promise<Found> {
  const names = await readdir(dataDir).catch(() => undefined)
  if (names === undefined)
    return isEmbedded
      ? wrong(
          `The data folder ${dataDir} cannot be read.`,
          'Check DATA_DIR, and run this as the account of the server.',
        )
      : ok('There is no data folder, and none is needed.')
  const open: string[] = []
  const secret = (name: string) => /^(master_key|database_url|first-start|.*(secret|password))/.test(name)
  for (const path of names.filter(secret).map((name) => join(dataDir, name)))
    if (((await stat(path)).mode & BEYOND_OWNER) !== 0) open.push(path)
  return open.length === 0
    ? ok('Only the owner can read the secrets in the data folder.')
    : open.map((path) =>
        wrong(`Others on this machine can read ${path}.`, `Run chmod 600 ${path}, and change the secret.`),
      )
}

const LEAST_BYTES = 500e6
const LITTLE_BYTES = 5e9

async function disk({ dataDir, isEmbedded, freeBytes }: InstalledSettings): Promise<Found> {
  if (!isEmbedded) return ok('The database has its own disk: watch it where it runs.')
  const free = await freeBytes(dataDir)
  // A folder that is not there was told already.
  if (free === undefined) return []
  const gigabytes = `${(free / 1e9).toFixed(1)} GB`
  if (free < LEAST_BYTES)
    return wrong(
      `The disk of ${dataDir} has ${gigabytes} left.`,
      'Make room now: writes stop when it is full.',
    )
  if (free < LITTLE_BYTES)
    return warning(`The disk of ${dataDir} has ${gigabytes} left.`, 'Make room, or move DATA_DIR.')
  return ok(`The disk of ${dataDir} has ${gigabytes} left.`)
}

function openFiles({ openFiles: most, ceilings }: InstalledSettings): Found {
  if (most === undefined) return []
  const { connections } = withinOpenFiles(ceilings, most)
  if (connections === ceilings.connections)
    return ok(`${most} files may be open, which is enough for ${connections} connections.`)
  return warning(
    `${most} files may be open, so a server takes ${connections} connections where LIMIT_CONNECTIONS says ${ceilings.connections}.`,
    `Raise that limit to ${openFilesFor(ceilings.connections)} for the account of the server (ulimit -n, LimitNOFILE; where it has another one than this command, its log says connections.limited_by_open_files), or lower LIMIT_CONNECTIONS.`,
  )
}
