// Operator commands for feature flags.
import { Complaint } from '../../shared/cli/terminal.ts'
import { FEATURE_FLAGS, setFeatureFlag } from '../domain/accounts/feature_flag.ts'
import { type Commands, say } from './command.ts'

export const FLAG_COMMANDS: Commands = {
  'flag set': {
    usage: '<name> <on|off>',
    meaning: `sets a feature flag: ${Object.entries(FEATURE_FLAGS)
      .map(([name, { meaning }]) => `${name} (${meaning})`)
      .join(', ')}`,
    options: {},
    words: 2,
    run: async ({ store }, _, [name = '', state = '']) => {
      if (state !== 'on' && state !== 'off')
        throw new Complaint('Say which flag, and on or off.', { advice: 'npm run pharos -- flag set --help' })
      await setFeatureFlag(store.em(), name, state === 'on')
      return say(`${name} is ${state}.`)
    },
  },
}
