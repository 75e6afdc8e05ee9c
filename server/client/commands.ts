// The table of commands of the command line for everybody: help, completion and the program itself are made from it.
import manifest from '../../package.json' with { type: 'json' }
import type { ClientCommand, Options } from '../../shared/cli/command.ts'
import { COMPLETION, HELP, HELP_OPTION } from '../../shared/cli/order.ts'
import type { Program } from '../../shared/cli/program.ts'
import { audit } from './audit.ts'
import { KEYRING_COMMANDS } from './keyring.ts'
import { proof } from './proof.ts'
import { api } from './read/api.ts'
import { ls } from './read/ls.ts'
import { show } from './read/show.ts'
import { login } from './sign_in/login.ts'
import { logout } from './sign_in/logout.ts'
import { PROFILE_COMMANDS } from './sign_in/profile.ts'
import { whoami } from './sign_in/whoami.ts'
import { stamp } from './stamp/stamp.ts'
import { upgrade } from './stamp/upgrade.ts'
import { listen } from './stream/listen.ts'
import { tail } from './stream/tail.ts'
import { trigger } from './stream/trigger.ts'
import { info } from './verify/info.ts'
import { status } from './verify/status.ts'
import { verify } from './verify/verify.ts'
import { watch } from './watch.ts'

/** By their names, of one word or two. Help lists them in this order. */
export const CLIENT_COMMANDS: Readonly<Record<string, ClientCommand>> = {
  stamp,
  status,
  upgrade,
  verify,
  info,
  proof,
  ls,
  show,
  tail,
  listen,
  trigger,
  api,
  login,
  logout,
  whoami,
  ...PROFILE_COMMANDS,
  ...KEYRING_COMMANDS,
  audit,
  watch,
}

const COMMON_OPTIONS: Options = {
  profile: {
    takes: '<name>',
    meaning: 'the service, and the credential for it, that are remembered under this name',
  },
  quiet: { short: 'q', meaning: 'prints nothing: the exit code is the answer' },
  ...HELP_OPTION,
}

/**
 * First words of the operator's commands. When a person types one here, the program says where those commands
 * are.
 */
const OPERATOR_NOUNS = new Set([
  'user',
  'key',
  'flag',
  'export',
  'log',
  'client',
  'grant',
  'backup',
  'doctor',
  'restore',
  'devchain',
  'tsa',
])

export const programOf = (self: string): Program<ClientCommand> => ({
  self,
  version: manifest.version,
  commands: CLIENT_COMMANDS,
  texts: { completion: COMPLETION, help: HELP },
  options: COMMON_OPTIONS,
  footer: ['Operators of a service have commands of their own: npm run pharos -- --help, in its checkout.'],
  elsewhere: ([noun = '', ...more]) =>
    OPERATOR_NOUNS.has(noun)
      ? `It is a command for operators, run in the checkout of a service: npm run pharos -- ${[noun, ...more].join(' ')}`
      : undefined,
})
