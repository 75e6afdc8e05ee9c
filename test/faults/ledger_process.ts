// A server reduced to its ledger, as a child process that may be killed. It carries out the orders of its
// parent.
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { isDatabaseUnavailable } from '../../server/store/database_errors.ts'
import { openStore } from '../../server/store/open_store.ts'
import { blockLog } from '../support/block_log.ts'

export type Order =
  | { readonly do: 'finalize' }
  | { readonly do: 'finalize until told' }
  | { readonly do: 'submit until told'; readonly creatorId: string; readonly teamId: string }
  | { readonly do: 'stop' }

/** `acknowledged`: a caller would get the answer at this point. */
export type Report =
  | { readonly said: 'ready' }
  | { readonly said: 'acknowledged'; readonly id: string }
  | { readonly said: 'done'; readonly blocks: number }

const [url = '', key = ''] = process.argv.slice(2)
const store = openStore({ url, poolSize: 4 })
const opened = masterKey(Buffer.from(key, 'hex'))
const signer = createSigner({ masterKey: opened })
const publicLog = blockLog(opened)
let stopped = false

const say = (report: Report): void => void process.send?.(report)

/** As a server does, it goes on after a database that was away, such as one that is too busy to let it connect. */
async function finalize(): Promise<number> {
  try {
    const { outcome } = await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
    return outcome === 'finalized' ? 1 : 0
  } catch (error) {
    if (isDatabaseUnavailable(error)) return 0
    throw error
  }
}

async function submit(creatorId: string, teamId: string): Promise<void> {
  const claims = { name: 'from a process', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const [outcome] = await submitItems({ em: store.em(), signer }, [
    draftItem({ claims: submittedClaims(claims), creatorId, teamId }),
  ])
  if (outcome !== undefined && 'item' in outcome) say({ said: 'acknowledged', id: outcome.item.id })
}

async function obey(order: Order): Promise<void> {
  let blocks = 0
  switch (order.do) {
    case 'finalize':
      blocks = await finalize()
      break
    case 'finalize until told':
      while (!stopped) blocks += await finalize()
      break
    case 'submit until told':
      while (!stopped) await submit(order.creatorId, order.teamId)
      break
    case 'stop':
      stopped = true
      return
    default:
      order satisfies never
  }
  say({ said: 'done', blocks })
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => {
    process.stderr.write(`${error}\n`)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit(0))
say({ said: 'ready' })
