// The findings of an audit over files in memory.
import { auditCheckpoint, auditCopy, type LogTrust } from '../../shared/audit/audit_copy.ts'
import type { CopyFinding } from '../../shared/audit/copy_reader.ts'
import { readCheckpoint } from '../../shared/log/checkpoint.ts'
import { readNote } from '../../shared/log/signed_note.ts'
import { checkSignature, type LogCopy, type LogFiles } from '../support/log_copy.ts'

export const trustOf = ({ policy }: LogCopy): LogTrust => ({ keys: [], policy })

/** Without trust, the checkpoint is believed. */
export async function auditOf(
  files: LogFiles,
  trust?: LogTrust,
  {
    since,
    requireEpochs = false,
    limit = 100,
  }: { readonly since?: Uint8Array; readonly requireEpochs?: boolean; readonly limit?: number } = {},
): Promise<CopyFinding[]> {
  const checkpoint = files.get('checkpoint') ?? new Uint8Array()
  if (trust !== undefined) {
    const found = [...auditCheckpoint('checkpoint', checkpoint, trust).findings]
    if (found.length > 0) return found
  }
  const findings: CopyFinding[] = []
  const tools = {
    read: async (path: string) => files.get(path),
    check: checkSignature,
    ahead: 2,
    requireEpochs,
    ...(since === undefined ? {} : { since: headOf(since) }),
  }
  const head = headOf(checkpoint)
  for await (const finding of auditCopy(tools, head)) {
    findings.push(finding)
    if (findings.length === limit) break
  }
  return findings
}

const headOf = (checkpoint: Uint8Array) => readCheckpoint(readNote(checkpoint).text)
