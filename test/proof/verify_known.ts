// Verifies a known bundle with some of its places changed.
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Lookups } from '../../shared/proof/lookups/lookup.ts'
import type { Row } from '../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { knownDocument, knownKeyring, setAt } from './known_bundles.ts'

const keyrings = [knownKeyring]

/** `changes` by JSON pointer; undefined takes the place away. */
export async function verified(
  bundle: string,
  changes: Record<string, JsonValue | undefined> = {},
  options: { expectedHash?: string; lookups?: Lookups; layout?: 'published' | 'compact' } = {},
) {
  const document = knownDocument(bundle, options.layout)
  for (const [pointer, value] of Object.entries(changes)) setAt(document, pointer, value)
  const read = readBundleObject(document)
  const report = await verifyBundle(read, { keyrings, ...options })
  const rows = (group: string): Row[] => report.steps.filter((row) => row.group === group)
  const statuses = (group: string) => rows(group).map(({ status }) => status)
  return { read, report, rows, statuses }
}
