// `pharos audit --from`: checks a copy of a public log on this computer, with nothing but its files, and prints what
// was checked, what is wrong, and what nobody could check.
import { createPublicKey, verify } from 'node:crypto'
import {
  auditCheckpoint,
  auditCopy,
  type CheckedCheckpoint,
  type CopyCounts,
  type LogTrust,
} from '../../shared/audit/audit_copy.ts'
import type { SignatureCheck } from '../../shared/audit/chain_audit.ts'
import { COPY_CEILINGS, type CopyFinding, describeCopyFinding } from '../../shared/audit/copy_reader.ts'
import { type ClientCommand, type Surroundings, textOption, type Values } from '../../shared/cli/command.ts'
import { Complaint, paced, plural, printable, sayDocument, type Terminal } from '../../shared/cli/terminal.ts'
import type { TreeHead } from '../../shared/log/checkpoint.ts'
import { toBase64, toHex } from '../../shared/proof/bytes.ts'
import { readNamed } from './files.ts'
import { type LogFiles, logFiles, logTrust, TRUST_OPTIONS } from './log_files.ts'

export const audit: ClientCommand = {
  usage:
    '--from <folder or address> [--key <verifier key>] [--policy <file>] [--since <checkpoint>] [--require-epochs] [--json]',
  meaning:
    'checks a copy of a public log: every block, the tree, the keys and the epochs, without any service',
  help: `
--from is a folder, or the address that stands before /checkpoint (https://pharos.example/log). It has the layout of
tlog-tiles; keyring.json and epochs/ beside it are checked where they are there, as they are in every export and at the
address of every service.

Checked are the signatures of the checkpoint; every block from the first one on: its hash, its link, its time, its
key event, its signature; every tile against the blocks; the keyring; of every epoch the root, the transaction and
the path to a Bitcoin header. Public chains are not asked whether they have that header or transaction.

What you are signed in with is sent only where --from is at that very service: see "login".`,
  options: {
    from: { takes: '<folder or address>', meaning: 'where the copy is' },
    ...TRUST_OPTIONS,
    'any-key': {
      meaning:
        'counts a copy as sound although nobody said whose log it is. It then says only that everything fits together, which anybody can bring about with keys of his own',
    },
    since: {
      takes: '<file>',
      meaning:
        'an earlier checkpoint of the log, which this one must continue. Everything is checked all the same',
    },
    'require-epochs': {
      meaning:
        'finds fault with a copy that has no keyring.json or no epoch. Whether the newest epochs are missing cannot be known from a copy: it says how many blocks at the end no epoch covers',
    },
    json: { meaning: 'prints the outcome as JSON' },
  },
  exits: {
    0: 'sound',
    1: 'not sound, or nobody said whose log it is',
    4: 'the log is not public, and asks for a credential',
  },
  run: async (surroundings, words) => {
    const { terminal, values } = surroundings
    const from = textOption(values, 'from')
    if (from === undefined || words.length > 0)
      throw new Complaint('Say which copy, with --from and a folder or an address.', {
        advice:
          'Without --from it is the command for operators, which audits their database: npm run pharos -- audit',
      })
    const trust = await logTrust(surroundings)
    const outcome = await outcomeOf(surroundings, logFiles(surroundings, from), trust)
    const passed = hasPassed(outcome, values['any-key'] === true)
    if (values.json === true) sayDocument(terminal, { passed, ...document(outcome) })
    else printLines(terminal, outcome)
    return passed ? 0 : 1
  },
}

const hasPassed = ({ findings, counts, checkpoint }: AuditOutcome, anyKey: boolean): boolean =>
  findings.length === 0 && counts !== undefined && (anyKey || checkpoint?.signer !== undefined)

type AuditOutcome = Awaited<ReturnType<typeof outcomeOf>>

/** Findings that are shown. More of them are mostly what follows from the first. */
const MOST_FINDINGS = 20

/**
 * `checkpoint` is undefined when there is no readable one, and `counts` when the audit ended early. `findings` are the
 * first ones, and there are none of a sound copy.
 */
async function outcomeOf(
  { terminal: { progress }, values }: Surroundings,
  { read, ahead }: LogFiles,
  trust: LogTrust,
) {
  const bytes = await read('checkpoint', COPY_CEILINGS.checkpoint)
  if (bytes === undefined)
    throw new Complaint('There is no checkpoint: this is not a copy of a log.', {
      advice: '--from names what stands before /checkpoint.',
    })
  const { checkpoint, findings: wrong } = auditCheckpoint('checkpoint', bytes, trust)
  if (checkpoint === undefined || wrong.length > 0) return { checkpoint, findings: wrong, counts: undefined }
  const since = await sinceOf(values, trust, checkpoint)
  const tell = paced(progress, { everyMs: 200 })
  const audited = auditCopy(
    {
      ...{ read, check, ahead },
      onProgress: ({ done, total }) => tell(() => `${done} of ${total} blocks`),
      requireEpochs: values['require-epochs'] === true,
      ...(since === undefined ? {} : { since }),
    },
    checkpoint.head,
  )
  const findings: CopyFinding[] = []
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
  const keys = [...trust.keys, ...(trust.policy?.logs ?? []).map(({ key }) => key)]
  const bytes = await readNamed(file, COPY_CEILINGS.checkpoint)
  const { checkpoint: before, findings } = auditCheckpoint(file, bytes, { keys, policy: undefined })
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

/** RFC 8410: the bytes before a raw Ed25519 key. Node is several times faster here than the code of the page. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

const check: SignatureCheck = (publicKey) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
  return (digest, signature) => verify(null, digest, key, signature)
}

const document = ({ checkpoint, findings, counts }: AuditOutcome) => ({
  ...(checkpoint === undefined
    ? {}
    : {
        origin: checkpoint.head.origin,
        size: checkpoint.head.size,
        root: toBase64(checkpoint.head.root),
        signed_by: checkpoint.signer?.name ?? null,
        cosigned_by: checkpoint.cosigned,
      }),
  findings: findings.map((finding) => ({ ...finding, text: describeCopyFinding(finding) })),
  ...(counts === undefined
    ? {}
    : {
        blocks: counts.blocks,
        tiles: counts.tiles,
        keys: counts.keys,
        keyring: counts.hasKeyring,
        keys_not_covered: counts.laterKeys.map(({ keyId, introducedAtHeight }) => ({
          key_id: toHex(keyId),
          introduced_at_height: introducedAtHeight,
        })),
        epochs: counts.series,
        uncovered: counts.uncovered,
      }),
})

function printLines({ say, note, paint }: Terminal, { checkpoint, findings, counts }: AuditOutcome): void {
  if (checkpoint !== undefined) {
    const { head, signer, cosigned } = checkpoint
    say(`${printable(head.origin)}, ${plural(head.size, 'block')}, root ${toBase64(head.root)}`)
    if (signer !== undefined) say(`  signed by ${printable(signer.name)}`)
    if (cosigned.length > 0) say(`  cosigned by ${cosigned.map(printable).join(', ')}`)
  }
  if (counts !== undefined) {
    say(
      `  ${plural(counts.blocks, 'block')}, ${plural(counts.tiles, 'tile')} and ${plural(counts.keys, 'signing key')} checked`,
    )
    const [firstLater] = counts.laterKeys
    if (firstLater !== undefined)
      say(
        `  ${plural(counts.laterKeys.length, 'key')} from height ${firstLater.introducedAtHeight} on ${counts.laterKeys.length === 1 ? 'is' : 'are'} not covered by this checkpoint: ${counts.laterKeys.map(({ keyId }) => toHex(keyId)).join(', ')}`,
      )
    for (const { folder, epochs, confirmed, confirmedTo } of counts.series)
      say(
        `  ${folder}: ${plural(epochs, 'epoch')} checked, ${confirmed} of them confirmed${confirmedTo === undefined ? '' : `, up to height ${confirmedTo}`}`,
      )
    if (counts.series.length > 0 && counts.uncovered > 0)
      say(`  no epoch covers the last ${plural(counts.uncovered, 'block')}`)
  }
  for (const finding of findings) say(`${paint.red('✗')} ${printable(describeCopyFinding(finding))}`)
  say(
    findings.length > 0
      ? paint.red('The copy is NOT sound.')
      : checkpoint?.signer === undefined
        ? paint.yellow('Everything fits together, and whose log it is stays open.')
        : isPartOnly(counts)
          ? paint.yellow('The copy is sound as far as it goes: something that belongs beside it is missing.')
          : counts !== undefined && counts.laterKeys.length > 0
            ? paint.yellow(
                'The copy is sound but for these keys: nothing in it shows that they are of the log.',
              )
            : paint.green('The copy is sound.'),
  )
  if (counts === undefined) note('! The audit ended there. More may be wrong.')
  if (checkpoint !== undefined && checkpoint.signer === undefined && findings.length === 0)
    note(
      '! Nobody said whose log it is, so the signatures were not checked: --key or --policy. Anybody can make such a copy with keys of his own.',
    )
  if (checkpoint !== undefined && checkpoint.ignored > 0)
    note(
      `! Not checked, because nothing at hand names the key: ${plural(checkpoint.ignored, 'signature')} of the checkpoint.`,
    )
  if (counts !== undefined && !counts.hasKeyring)
    note('! There is no keyring.json. The keys were taken from the blocks.')
  if (counts !== undefined && counts.series.length === 0)
    note('! There are no epochs beside it, so nothing shows what public chains have of the blocks.')
}

const isPartOnly = (counts: CopyCounts | undefined): boolean =>
  counts !== undefined && (!counts.hasKeyring || counts.series.length === 0)
