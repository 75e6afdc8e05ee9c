// A server that only erases expired items, as a child process that may be killed.
import { redactExpired } from '../../server/domain/ledger/redact_expired.ts'
import { startChores } from '../../server/jobs/keep_house.ts'
import { entities } from '../../server/start/entities.ts'
import { openStore } from '../../server/store/open_store.ts'

const [url = ''] = process.argv.slice(2)
const store = await openStore({ url, poolSize: 2, entities })
startChores({
  chores: [{ name: 'redact_expired', everyMs: 100, piece: (limit) => redactExpired(store.em(), limit) }],
  onError: (error) => void process.stderr.write(`${error}\n`),
})
process.on('disconnect', () => process.exit(0))
