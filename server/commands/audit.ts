// The operator command that recomputes the ledger, every epoch with its evidence, and the public log.
import { describeDisagreement } from '../../shared/audit/disagreement.ts'
import { plural } from '../../shared/cli/terminal.ts'
import { auditEpochs } from '../domain/commitments/audit_epochs.ts'
import { auditLedger } from '../domain/ledger/audit/audit_ledger.ts'
import { auditLog } from '../domain/log/audit_log.ts'
import { type Commands, say } from './command.ts'

export const AUDIT_COMMANDS: Commands = {
  audit: {
    usage: '',
    meaning:
      'recomputes every hash, root, signature and link from genesis to head, every item, every epoch with its evidence, and every tile and checkpoint of the public log',
    options: {},
    exits: { 0: 'the ledger agrees', 1: 'it does not agree, or could not be read' },
    existing: true,
    run: async ({ store, masterKey: key }) => {
      const report = await auditLedger({
        em: store.em('ledger'),
        masterKey: key,
        onProgress: ({ heights, items }) =>
          void process.stderr.write(
            `  ${heights.done} of ${heights.total} blocks, ${plural(items, 'item')}\n`,
          ),
      })
      const counted = `${plural(report.blocks, 'block')}, up to height ${report.height}, and ${plural(report.items, 'item')}`
      const epochs = report.passed ? await auditEpochs(store.em('ledger')) : undefined
      const log = report.passed ? await auditLog({ em: store.em('ledger'), masterKey: key }) : undefined
      const [first] = [report, epochs, log].flatMap((part) => part?.disagreements ?? [])
      if (first === undefined)
        return say(
          `The ledger agrees: ${counted}, in ${plural(epochs?.epochs ?? 0, 'epoch')}; ${plural(log?.tiles ?? 0, 'tile')} and ${plural(log?.checkpoints ?? 0, 'checkpoint')} of the log.`,
        )
      say(`The ledger does NOT agree. ${describeDisagreement(first)}. Checked until then: ${counted}.`)
      return 1
    },
  },
}
