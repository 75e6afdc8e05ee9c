// Who shows items to somebody reads them where expiry is judged; the table itself is for those who keep the ledger.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SERVER = join(import.meta.dirname, '../../../server')

/**
 * Recording, changing, redacting, the time of the newest, the tree of a block, audit; those that tell events, which never carry claims; and
 * where lists find ids, which `shown_items` then judges.
 */
const KEEPERS = [
  'catalog/item_finds.ts',
  'domain/ledger/audit/audit_strays.ts',
  'domain/ledger/audit/subject_rows.ts',
  'domain/ledger/change_item.ts',
  'domain/ledger/finalize_block.ts',
  'domain/ledger/leaves.ts',
  'domain/webhooks/fan_out/fan_out.ts',
  'domain/webhooks/pulling/read_events.ts',
  'domain/webhooks/sending/due_deliveries.ts',
  'surfaces/console/fan_out.ts',
]

it('nothing else reads the table of items: shown_items hides claims from the moment on that they expire', () => {
  const readers = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('store/migrations/'))
    .filter((name) =>
      /\b(FROM|JOIN)\s+items\b|tableName: 'items'|table: 'items'/.test(
        readFileSync(join(SERVER, name), 'utf8'),
      ),
    )
  expect(readers.filter((name) => !KEEPERS.includes(name))).toEqual([])
})
