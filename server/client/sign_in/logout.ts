// `pharos logout`: ends what a sign-in was allowed, and forgets the secret.
import type { ClientCommand } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { choose, requireProfile } from './choice.ts'
import { changeProfiles, withProfile } from './profiles.ts'
import { type Ended, endSignIn } from './sign_in.ts'

export const logout: ClientCommand = {
  usage: '[--profile <name>]',
  meaning: 'ends a sign-in, and forgets its secret',
  help: `
The service ends what this sign-in was allowed, in every process that uses it. An API key is forgotten here alone: it is
valid until somebody deletes it, because other programs may use it. The profile stays, with its address.`,
  options: {},
  exits: {
    0: 'signed out',
    2: 'the service could not be told; the secret is forgotten all the same',
  },
  run: async (surroundings, words) => {
    const { terminal, env } = surroundings
    if (words.length > 0) throw new Complaint('It takes no words.')
    const choice = await choose(surroundings)
    requireProfile(surroundings, choice)
    const { profile: name, profiles } = choice
    const held = profiles.byName.get(name)
    if (env.PHAROS_API_KEY) terminal.note('! PHAROS_API_KEY is in the environment, and stays there.')
    if (held?.secret === undefined) {
      terminal.note(`Nobody is signed in (profile ${name}).`)
      return 0
    }
    const { origin, secret } = held
    const ended = await endSignIn(surroundings, { origin, place: secret })
    await changeProfiles(env, (all) => {
      const now = all.byName.get(name)
      return now?.secret?.id === secret.id ? withProfile(all, name, { ...now, secret: undefined }) : all
    })
    terminal.note(WORDS[ended](origin, name))
    return ended === 'not_told' ? 2 : 0
  },
}

const WORDS: Readonly<Record<Ended, (origin: string, name: string) => string>> = {
  revoked: (origin, name) => `Signed out of ${origin} (profile ${name}).`,
  key_goes_on: (origin, name) =>
    `Forgot the API key of ${origin} (profile ${name}). It is valid until it is deleted in the console: ${origin}/account/keys`,
  not_told: (origin, name) =>
    `! Forgot the sign-in at ${origin} (profile ${name}), but the service could not be told. It ends 30 days after its last use, or in the console: ${origin}/account/applications`,
  was_gone: (origin, name) => `Its secret was gone already: ${origin} (profile ${name}).`,
}
