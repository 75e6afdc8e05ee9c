// The operator command that recomputes the ledger and every epoch with its evidence.

import { describeDisagreement } from '../../shared/audit/disagreement.ts'
import { auditEpochs } from '../domain/commitments/audit_epochs.ts'
import { auditLedger } from '../domain/ledger/audit/audit_ledger.ts'
import { type Commands, say } from './command.ts'

export const AUDIT_COMMANDS: Commands = {
  audit: {
    usage: '',
    meaning:
      'recomputes every hash, root, signature and link from genesis to head, every item, and every epoch with its evidence',
    options: {},
    existing: true,
    run: async ({ store, masterKey: key }) => {
      const report = await auditLedger({
        em: store.em('ledger'),
        masterKey: key,
        onProgress: ({ heights, items }) =>
          void process.stderr.write(`  ${heights.done} of ${heights.total} blocks, ${items} items\n`),
      })
      const counted = `${report.blocks} blocks, up to height ${report.height}, and ${report.items} items`
      const epochs = report.passed ? await auditEpochs({ em: store.em('ledger') }) : undefined
      const [first] = [...report.disagreements, ...(epochs?.disagreements ?? [])]
      if (first === undefined) return say(`The ledger agrees: ${counted}, in ${epochs?.epochs ?? 0} epochs.`)
      say(`The ledger does NOT agree. ${describeDisagreement(first)}. Checked until then: ${counted}.`)
      return 1
    },
  },
}
