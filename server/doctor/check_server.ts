// Checks of the machine and of the way from outside: addresses, tokens, files, disk, and whether the server answers.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from '../kernel/address_key.ts'
import { openFilesFor, withinOpenFiles } from '../kernel/ceilings.ts'
import { type Check, type DoctorFinding, type InstalledSettings, ok, warning, wrong } from './examined.ts'

const ANSWER_MS = 5_000
const MOST_BYTES = 65_536

export const serverChecks = (settings: InstalledSettings): readonly Check[] => [
  { name: 'exposure', run: async () => exposure(settings) },
  { name: 'files', run: () => files(settings) },
  { name: 'disk', run: () => disk(settings) },
  { name: 'open files', run: async () => openFiles(settings) },
  { name: 'server', run: () => answers(settings) },
]

function exposure({ host, base, metricsToken }: InstalledSettings): DoctorFinding[] {
  if (isLoopback(host))
    return [ok(`The server listens on ${host} only, so nobody reaches it without a proxy.`)]
  const { protocol, hostname } = new URL(base)
  const isPlain = protocol === 'http:' && !isLoopback(hostname)
  return [
    ...(metricsToken === undefined
      ? [
          warning(
            '/metrics is closed, because HOST is no loopback address and METRICS_TOKEN is not set.',
            'Set METRICS_TOKEN to 16 characters or more, and give it to Prometheus.',
          ),
        ]
      : [ok('METRICS_TOKEN guards /metrics.')]),
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

async function files({ dataDir, isEmbedded }: InstalledSettings): Promise<DoctorFinding[]> {
  const names = await readdir(dataDir).catch(() => undefined)
  if (names === undefined)
    return isEmbedded
      ? [
          wrong(
            `The data folder ${dataDir} cannot be read.`,
            'Check DATA_DIR, and run this as the account of the server.',
          ),
        ]
      : [ok('There is no data folder, and none is needed.')]
  const open: string[] = []
  const secret = (name: string) => /^(master_key|database_url|first-start|.*(secret|password))/.test(name)
  for (const path of [dataDir, ...names.filter(secret).map((name) => join(dataDir, name))]) {
    const { mode } = await stat(path)
    if ((mode & BEYOND_OWNER) !== 0 && path !== dataDir) open.push(path)
  }
  return open.length === 0
    ? [ok('Only the owner can read the secrets in the data folder.')]
    : open.map((path) =>
        wrong(`Others on this machine can read ${path}.`, `Run chmod 600 ${path}, and change the secret.`),
      )
}

const LEAST_BYTES = 500e6
const LITTLE_BYTES = 5e9

async function disk({ dataDir, isEmbedded, freeBytes }: InstalledSettings): Promise<DoctorFinding[]> {
  if (!isEmbedded) return [ok('The database has its own disk: watch it where it runs.')]
  const free = await freeBytes(dataDir)
  // A folder that is not there was told already.
  if (free === undefined) return []
  const gigabytes = `${(free / 1e9).toFixed(1)} GB`
  if (free < LEAST_BYTES)
    return [
      wrong(`The disk of ${dataDir} has ${gigabytes} left.`, 'Make room now: writes stop when it is full.'),
    ]
  if (free < LITTLE_BYTES)
    return [warning(`The disk of ${dataDir} has ${gigabytes} left.`, 'Make room, or move DATA_DIR.')]
  return [ok(`The disk of ${dataDir} has ${gigabytes} left.`)]
}

function openFiles({ openFiles: most, ceilings }: InstalledSettings): DoctorFinding[] {
  if (most === undefined) return []
  const { connections } = withinOpenFiles(ceilings, most)
  if (connections === ceilings.connections)
    return [ok(`${most} files may be open, which is enough for ${connections} connections.`)]
  return [
    warning(
      `${most} files may be open, so a server takes ${connections} connections where LIMIT_CONNECTIONS says ${ceilings.connections}.`,
      `Raise that limit to ${openFilesFor(ceilings.connections)} for the account of the server (ulimit -n, LimitNOFILE; where it has another one than this command, its log says connections.limited_by_open_files), or lower LIMIT_CONNECTIONS.`,
    ),
  ]
}

async function answers({ base, version, host, port }: InstalledSettings): Promise<DoctorFinding[]> {
  const address = `${base}/health/ready`
  const answer = await answerOf(address)
  if ('why' in answer) {
    const here = `http://${/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
    const direct = await answerOf(`${here}/health/ready`)
    if (!('why' in direct) && readiness(direct.text)?.ready === true)
      return [
        warning(
          `${here} says that the server is ready, but ${base} does not answer from here: ${answer.why}`,
          'That may be so in a container or behind a firewall: open the public address from outside.',
        ),
      ]
    return [
      wrong(
        `${address} does not answer: ${answer.why}`,
        `Check that the server runs, that it listens on port ${port}, and that BASE_URL leads there from this machine.`,
      ),
    ]
  }
  const { status, text } = answer
  const health = readiness(text)
  if (health === undefined)
    return [
      wrong(
        `${address} is answered by something else (status ${status}).`,
        'Check BASE_URL, and where the proxy sends it.',
      ),
    ]
  const findings: DoctorFinding[] = []
  if (health.ready) findings.push(ok(`${address} says that the server is ready.`))
  else
    findings.push(
      wrong(
        `${address} says that the server is not ready${health.reason === undefined ? '' : `: ${health.reason}`}.`,
        ADVICE[health.reason ?? ''] ?? 'The other lines here, and the log, say why.',
      ),
    )
  if (health.version !== undefined && health.version !== version)
    findings.push(
      warning(
        `The server that answers is version ${health.version}, and this is ${version}.`,
        'Finish the upgrade: restart the servers that still run the other version.',
      ),
    )
  return findings
}

/** By the reason that the server gives, where no other check tells what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  disk_full:
    'The database has no room on its disk and refuses writes: make room there. Nothing needs a restart.',
  master_key_changed:
    'The master key was changed, and this server was not restarted since: restart it, and every other one, with the new ' +
    'MASTER_KEY. Until then it refuses what it cannot seal or sign.',
  behind_what_was_signed:
    'The database lacks blocks that were signed, so no new ones are made: bring the lost data back, or accept the loss ' +
    'with npm run pharos -- log accept-fork --reason TEXT (deploy/BACKUP.md).',
}

async function answerOf(address: string): Promise<{ status: number; text: string } | { why: string }> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' })
    return { status: answer.status, text: await textOf(answer) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { why: cause instanceof Error ? cause.message : String(cause) }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface Readiness {
  readonly ready: boolean
  readonly reason: string | undefined
  readonly version: string | undefined
}

function readiness(text: string): Readiness | undefined {
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told !== 'object' || told === null || !('ready' in told)) return undefined
    const member = (name: string): string | undefined => {
      const value: unknown = Object.entries(told).find(([each]) => each === name)?.[1]
      return typeof value === 'string' ? value.slice(0, 100) : undefined
    }
    return {
      ready: told.ready === true,
      reason: member('reason') ?? member('database'),
      version: member('version'),
    }
  } catch {
    return undefined
  }
}
