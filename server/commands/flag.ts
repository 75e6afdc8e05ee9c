// Operator commands for feature flags.
import { FEATURE_FLAGS, setFeatureFlag } from '../domain/accounts/feature_flag.ts'
import { refuse } from '../kernel/refusal.ts'
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
        throw refuse('invalid_argument', { detail: 'say which flag, and on or off; try --help' })
      await setFeatureFlag(store.em(), name, state === 'on')
      return say(`${name} is ${state}.`)
    },
  },
}
