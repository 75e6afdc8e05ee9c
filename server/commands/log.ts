// Operator commands for the public log: its verifier key, and the way out when the ledger is behind what was signed.
import { writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { logKeyInUse } from '../domain/log/log_rows.ts'
import { acceptFork } from '../domain/log/origins.ts'
import { liftRoundNumbers } from '../domain/rounds/round.ts'
import { type Commands, required, say } from './command.ts'

export const LOG_COMMANDS: Commands = {
  'log key': {
    usage: '',
    meaning: 'prints the verifier key of the public log, and nothing else',
    options: {},
    existing: true,
    run: async ({ store }) => {
      const key = await logKeyInUse(store.em())
      if (key === undefined) throw new Error('The log has no key.')
      return say(writeVerifierKey(key.verifier))
    },
  },
  'log accept-fork': {
    usage: '--reason <text>',
    meaning:
      'goes on with a ledger that is behind what was signed, when the lost data cannot be brought back (refused while nothing is behind): the origin and the key of the public log are retired with their last checkpoint and the reason, which everybody can read for ever, and a new key signs',
    options: {
      reason: { type: 'string', takes: '<text>', meaning: 'why data were lost, for everybody to read' },
    },
    existing: true,
    run: async ({ store, masterKey, signedMemory }, values) => {
      const reason = required(values, 'reason')
      // The rounds that were lost with the blocks keep their numbers.
      await liftRoundNumbers(store.em())
      const fork = await acceptFork({ em: store.em(), masterKey, memory: signedMemory }, { reason })
      const origin = fork.inUse.verifier.name
      return say(
        `The log ${fork.retired.verifier.name} is retired for ever. Its last checkpoint, over ${fork.signed} blocks, and the reason stand in /log/history.`,
        `${origin} goes on from the ${fork.leaves} blocks that there are, and servers make blocks again within a few seconds. Its verifier key, for everybody who watches the log:`,
        writeVerifierKey(fork.inUse.verifier),
      )
    },
  },
}
