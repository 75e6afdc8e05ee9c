// `pharos audit --from`: checks a copy of a public log on this computer, with nothing but its files.
import { createPublicKey, verify } from 'node:crypto'
import { auditCopy, type CopyCounts } from '../../shared/audit/audit_copy.ts'
import {
  auditCheckpoint,
  type CheckedCheckpoint,
  type LogTrust,
} from '../../shared/audit/checkpoint_audit.ts'
import { COPY_CEILINGS, type CopyFinding, describeCopyFinding } from '../../shared/audit/copy_reader.ts'
import type { SignatureCheck } from '../../shared/audit/key_chain.ts'
import type { TreeHead } from '../../shared/log/checkpoint.ts'
import { type ClientCommand, type Surroundings, textOption, type Values } from './command.ts'
import { readInput } from './files.ts'
import { type LogFiles, logFiles, logTrust, TRUST_HELP, TRUST_OPTIONS } from './log_files.ts'
import { type AuditOutcome, printAudit } from './print_audit.ts'
import { Complaint, type Terminal } from './terminal.ts'

export const audit: ClientCommand = {
  usage:
    '--from <folder or address> [--key <verifier key>] [--policy <file>] [--since <checkpoint>] [--require-epochs] [--json]',
  meaning:
    'checks a copy of a public log: every block, the tree, the keys and the epochs, without any service',
  help: `
--from is a folder, or the address that stands before /checkpoint (https://pharos.example/log). It has the layout of
tlog-tiles; keyring.json and epochs/ beside it are checked where they are there, as they are in every export and at the
address of every service.

${TRUST_HELP}
  --any-key               counts a copy as sound although nobody said whose log it is. It then says only that
                          everything fits together, which anybody can bring about with keys of his own
  --since <file>          an earlier checkpoint of the log, which this one must continue. Everything is checked
                          all the same
  --require-epochs        finds fault with a copy that has no keyring.json or no epoch. Whether the newest epochs
                          are missing cannot be known from a copy: it says how many blocks at the end no epoch
                          covers
  --json                  prints the outcome as JSON

Checked are the signatures of the checkpoint; every block from the first one on: its hash, its link, its time, its
key event, its signature; every tile against the blocks; the keyring; of every epoch the root, the transaction and
the path to a Bitcoin header. Public chains are not asked whether they have that header or transaction.

Exit code: 0 sound, 1 not sound or nobody said whose log it is, 2 not readable or wrongly asked.
PHAROS_API_KEY is sent only where --from is at the service of PHAROS_URL.`,
  options: {
    from: { type: 'string' },
    ...TRUST_OPTIONS,
    'any-key': { type: 'boolean' },
    since: { type: 'string' },
    'require-epochs': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (surroundings, values, positionals) => {
    const from = textOption(values, 'from')
    if (from === undefined || positionals.length > 0)
      throw new Complaint('Say which copy, with --from and a folder or an address.', {
        advice:
          'Without --from it is the command for operators, which audits their database: npm run pharos -- audit',
      })
    const trust = await logTrust(values)
    const outcome = await outcomeOf(surroundings, logFiles(surroundings, from), { trust, values })
    const passed = hasPassed(outcome, values['any-key'] === true)
    printAudit(surroundings.terminal, outcome, { asJson: values.json === true, passed })
    return passed ? 0 : 1
  },
}

const hasPassed = ({ findings, counts, checkpoint }: AuditOutcome, anyKey: boolean): boolean =>
  findings.length === 0 && counts !== undefined && (anyKey || checkpoint?.signer !== undefined)

/** Findings that are shown. More of them are mostly what follows from the first. */
const MOST_FINDINGS = 20

async function outcomeOf(
  surroundings: Surroundings,
  { read, ahead }: LogFiles,
  { trust, values }: { readonly trust: LogTrust; readonly values: Values },
): Promise<AuditOutcome> {
  const bytes = await read('checkpoint', COPY_CEILINGS.checkpoint)
  if (bytes === undefined)
    throw new Complaint('There is no checkpoint: this is not a copy of a log.', {
      advice: '--from names what stands before /checkpoint.',
    })
  const findings: CopyFinding[] = []
  const checkpoint = drained(auditCheckpoint('checkpoint', bytes, trust), findings)
  if (checkpoint === undefined || findings.length > 0) return { checkpoint, findings, counts: undefined }
  const since = await sinceOf(values, trust, checkpoint)
  const { progress } = surroundings.terminal
  const audited = auditCopy(
    {
      ...{ read, check, ahead, onProgress: teller(progress) },
      requireEpochs: values['require-epochs'] === true,
      ...(since === undefined ? {} : { since }),
    },
    checkpoint.head,
  )
  let counts: CopyCounts | undefined
  try {
    for (let step = await audited.next(); findings.length < MOST_FINDINGS; step = await audited.next()) {
      if (step.done === true) {
        counts = step.value
        break
      }
      findings.push(step.value)
    }
  } finally {
    progress?.('')
  }
  return { checkpoint, findings, counts }
}

async function sinceOf(
  values: Values,
  trust: LogTrust,
  { head }: CheckedCheckpoint,
): Promise<TreeHead | undefined> {
  const file = textOption(values, 'since')
  if (file === undefined) return undefined
  const findings: CopyFinding[] = []
  const keys = [...trust.keys, ...(trust.policy?.logs ?? []).map(({ key }) => key)]
  const bytes = await readInput(file, COPY_CEILINGS.checkpoint)
  const before = drained(auditCheckpoint(file, bytes, { keys, policy: undefined }), findings)
  const [first] = findings
  if (first !== undefined) throw new Complaint(`${describeCopyFinding(first)}.`)
  if (before === undefined) throw new Complaint(`${file} is not a checkpoint.`)
  if (before.head.origin !== head.origin)
    throw new Complaint(`${file} is of the log ${before.head.origin}, and the copy of ${head.origin}.`)
  if (before.head.size > head.size)
    throw new Complaint(
      `${file} is newer than the copy: ${before.head.size} blocks, and the copy has ${head.size}.`,
    )
  return before.head
}

/** Puts what a generator yields into a list, and returns its result. */
function drained<Found, Result>(generator: Generator<Found, Result>, into: Found[]): Result {
  for (let step = generator.next(); ; step = generator.next()) {
    if (step.done === true) return step.value
    into.push(step.value)
  }
}

const BETWEEN_MS = 200

function teller(progress: Terminal['progress']): (blocks: { done: number; total: number }) => void {
  let shownAt = performance.now()
  return ({ done, total }) => {
    const now = performance.now()
    if (progress === undefined || now - shownAt < BETWEEN_MS) return
    progress(`${done} of ${total} blocks`)
    shownAt = now
  }
}

/** RFC 8410: the bytes before a raw Ed25519 key. Node is several times faster here than the code of the page. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

const check: SignatureCheck = (publicKey) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
  return (digest, signature) => verify(null, digest, key, signature)
}
