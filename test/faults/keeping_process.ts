// A server that only erases expired items, as a child process that may be killed.
import { redactExpired } from '../../server/domain/ledger/change_item.ts'
import { startChores } from '../../server/jobs/keep_house.ts'
import { createLog } from '../../server/kernel/log.ts'
import { openStore } from '../../server/store/open_store.ts'

const [url = ''] = process.argv.slice(2)
const store = openStore({ url, poolSize: 2 })
startChores({
  em: () => store.em(),
  chores: [{ name: 'redact_expired', everyMs: 100, piece: redactExpired }],
  log: createLog('warn', process.stderr),
})
process.on('disconnect', () => process.exit(0))
