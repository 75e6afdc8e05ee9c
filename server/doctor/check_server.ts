// Checks of what the server says of itself at its public address.
import { z } from 'zod'
import { getBytes } from '../../shared/cli/get_bytes.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { parsedJson } from '../kernel/json_text.ts'
import { roundAges, stampingClock } from './check_stamping.ts'
import {
  type Check,
  type DoctorFinding,
  type Found,
  type InstalledSettings,
  ok,
  roughly,
  warning,
  wrong,
} from './examine.ts'

/** What only a server knows is not looked for where none answers. */
export function serverChecks(settings: InstalledSettings): readonly Check[] {
  let health: Health | undefined
  return [
    {
      name: 'server',
      run: async () => {
        const answered = await askServer(settings)
        health = answered.health
        return answered.findings
      },
    },
    { name: 'sources', run: async () => sources(health) },
    { name: 'chains', run: async () => chains(health) },
    { name: 'rounds', run: async () => roundAges(health?.round_unconfirmed_seconds) },
    { name: 'time stamps', run: async () => stampingClock(health?.time_stamp_clock) },
    { name: 'witnesses', run: async () => witnesses(health) },
  ]
}

const words = z.string().transform((text) => text.slice(0, 500))

/** A part that another version of the server writes differently is left out. */
const part = <Rule extends z.ZodType>(rule: Rule) => rule.optional().catch(undefined)

const HEALTH = z.object({
  ready: z.boolean(),
  reason: part(words),
  database: part(words),
  version: part(words),
  notices: part(words),
  replica: part(z.object({ state: words })),
  chain_replaced: part(z.object({ ago_ms: z.number() })),
  entropy: part(
    z.array(
      z.object({ source: words, state: words, failing_seconds: z.number(), failure: words.nullable() }),
    ),
  ),
  chains: part(
    z.array(
      z.object({
        chain: words,
        error: words.nullable(),
        answered_at: words.nullable(),
        waiting: z.number(),
        caveat: words.optional(),
      }),
    ),
  ),
  round_unconfirmed_seconds: part(z.record(words, z.number())),
  time_stamp_clock: part(words),
  witnesses: part(
    z.array(z.object({ witness: words, missing_since: words.nullable(), trouble: words.nullable() })),
  ),
})

type Health = z.infer<typeof HEALTH>

async function askServer({ base, version, host, port }: InstalledSettings): Promise<{
  readonly findings: Found
  readonly health?: Health | undefined
}> {
  const address = `${base}/health/ready`
  const answer = await answerOf(address)
  if ('why' in answer) {
    const here = `http://${/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
    const direct = await answerOf(`${here}/health/ready`)
    const health = 'why' in direct ? undefined : direct.health
    const finding = health?.ready
      ? warning(
          `${here} says that the server is ready, but ${base} does not answer from here: ${answer.why}`,
          'That may be so in a container or behind a firewall: open the public address from outside.',
        )
      : wrong(
          `${address} does not answer: ${answer.why}`,
          `Check that the server runs, that it listens on port ${port}, and that BASE_URL leads there from this machine.`,
        )
    return { findings: finding, health }
  }
  const { status, health } = answer
  if (health === undefined) {
    const text = `${address} is answered by something else (status ${status}).`
    return { findings: wrong(text, 'Check BASE_URL, and where the proxy sends it.') }
  }
  const findings = troubles(health)
  if (health.version !== undefined && health.version !== version)
    findings.unshift(
      warning(
        `The server that answers is version ${health.version}, and this is ${version}.`,
        'Finish the upgrade: restart the servers that still run the other version.',
      ),
    )
  const reason = health.reason ?? health.database
  findings.unshift(
    health.ready
      ? ok(`${address} says that the server is ready.`)
      : wrong(
          `${address} says that the server is not ready${reason === undefined ? '' : `: ${reason}`}.`,
          ADVICE[reason ?? ''] ?? 'The other lines here, and the log, say why.',
        ),
  )
  return { findings, health }
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

function troubles({ notices, replica, chain_replaced: replaced }: Health): DoctorFinding[] {
  const findings: DoctorFinding[] = []
  if (notices === 'interrupted')
    findings.push(
      warning(
        'The server hears no notices of the database at the moment, so it looks for what is new from time to time.',
        'That passes when its connection is back. If it lasts, look at LISTEN_DATABASE_URL.',
      ),
    )
  if (replica !== undefined && replica.state !== 'used')
    findings.push(
      warning(
        `The server does not use its replica (${replica.state}), and reads everything from the primary.`,
        'Look at READ_DATABASE_URL, and at the standby that it names.',
      ),
    )
  if (replaced !== undefined)
    findings.push(
      warning(
        `The server has seen ${roughly(replaced.ago_ms)} ago that the chain was replaced: blocks that it had shown are not in the database.`,
        'If nobody has restored a backup, find out what took them; deploy/BACKUP.md has the ways out.',
      ),
    )
  return findings
}

async function answerOf(address: string): Promise<{ status: number; health?: Health } | { why: string }> {
  try {
    const { status, bytes } = await getBytes(new URL(address), {}, { bytes: 65_536, milliseconds: 5_000 })
    const health = HEALTH.safeParse(parsedJson(new TextDecoder().decode(bytes)))
    return health.success ? { status, health: health.data } : { status }
  } catch (error) {
    if (error instanceof Complaint) return { why: error.message }
    throw error
  }
}

function sources({ entropy }: Partial<Health> = {}): Found {
  if (entropy?.length === 0) return ok('No public source is asked.')
  return (entropy ?? []).map(({ source, state, failing_seconds, failure }) =>
    state === 'failing'
      ? warning(
          `${source} has failed for ${roughly(failing_seconds * 1_000)} (${failure ?? 'no answer'}).`,
          'Usually it is away. If all sources are, check the way out of this network.',
        )
      : ok(`${source} ${state === 'answering' ? 'answers' : 'was not asked yet'}.`),
  )
}

function chains({ chains: standings }: Partial<Health> = {}): Found {
  if (standings?.length === 0) return ok('Epochs are committed to no public chain.')
  return (standings ?? []).map(({ chain, error, answered_at, waiting, caveat }) => {
    if (error !== null)
      return warning(`${chain}: ${error}.`, 'Epochs wait until it works, and are committed then.')
    if (answered_at === null)
      return warning(`${chain} has not answered yet.`, 'Check its address and the way there, and look again.')
    return ok(
      `${chain} answers, ${waiting === 1 ? '1 epoch waits' : `${waiting} epochs wait`}${caveat === undefined ? '' : ` (${caveat})`}.`,
    )
  })
}

const witnesses = ({ witnesses: standings = [] }: Partial<Health> = {}): DoctorFinding[] =>
  standings.map(({ witness, missing_since, trouble }) =>
    missing_since === null
      ? ok(`${witness} cosigns.`)
      : warning(
          `${witness} has not cosigned since ${missing_since}${trouble === null ? '' : ` (${trouble})`}.`,
          'Checkpoints are shown once enough witnesses have cosigned. Look at the policy, and ask whoever runs the witness.',
        ),
  )
