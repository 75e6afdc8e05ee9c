// Prints the outcome of an audit of a copy: what was checked, what is wrong, and what nobody could check.
import type { CopyCounts } from '../../shared/audit/audit_copy.ts'
import type { CheckedCheckpoint } from '../../shared/audit/checkpoint_audit.ts'
import { type CopyFinding, describeCopyFinding } from '../../shared/audit/copy_reader.ts'
import { toBase64, toHex } from '../../shared/proof/bytes.ts'
import { plural } from '../../shared/verifier/plural.ts'
import { printable, type Terminal } from './terminal.ts'

export interface AuditOutcome {
  /** Undefined when there is no readable one. */
  readonly checkpoint: CheckedCheckpoint | undefined
  /** The first ones. Empty for a sound copy. */
  readonly findings: readonly CopyFinding[]
  /** Undefined when the audit ended early. */
  readonly counts: CopyCounts | undefined
}

export function printAudit(
  terminal: Terminal,
  outcome: AuditOutcome,
  { asJson, passed }: { readonly asJson: boolean; readonly passed: boolean },
): void {
  if (asJson) terminal.say(JSON.stringify({ passed, ...document(outcome) }, null, 2))
  else printLines(terminal, outcome)
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
