// `pharos profile`: several services, and which of them commands are about when nothing else says so. `pharos config path`
// says where that is remembered.
import { type ClientCommand, type Surroundings, textOption } from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, printable, sayDocument } from '../../../shared/cli/terminal.ts'
import { readVerifierKey, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { configFolder } from '../files.ts'
import { requiredOrigin } from './choice.ts'
import { placeWords } from './credential.ts'
import { changeProfiles, isProfileName, readProfiles, withProfile } from './profiles.ts'

export const PROFILE_COMMANDS: Readonly<Record<string, ClientCommand>> = {
  'profile ls': {
    usage: '[--json]',
    meaning: 'shows the services that are remembered, and where you are signed in',
    help: `
A profile is the address of a service, the key of its log, and what you are signed in with there. "login" makes one. The
one in use has a star. As JSON, "secret" says where it lies, and is null where nobody is signed in.`,
    options: { json: { meaning: 'prints them as JSON' } },
    exits: { 0: 'shown' },
    run: list,
  },
  'profile use': {
    usage: '<name> [--url <service>] [--log-key <verifier key>]',
    meaning: 'says which service commands are about when nothing else says so',
    help: `
Commands are about this profile from now on. --profile with a command, or PHAROS_PROFILE in the environment, names another
one for once.`,
    options: {
      url: { takes: '<service>', meaning: 'makes the profile, or moves it while nobody is signed in there' },
      'log-key': {
        takes: '<verifier key>',
        meaning: 'whose log that service has to show, as its operator’s "log key" prints it',
      },
    },
    exits: { 0: 'in use' },
    run: async (surroundings, [name, ...more]) => {
      if (name !== undefined && more.length === 0) return use(surroundings, name)
      throw new Complaint('Name one profile.', { advice: `${surroundings.self} profile ls` })
    },
  },
  'config path': {
    usage: '',
    meaning: 'says where this program remembers profiles, keyrings and logs',
    help: `
Prints the folder: PHAROS_CONFIG_DIR, else $XDG_CONFIG_HOME/pharos, else ~/.config/pharos. A secret is in it only when it was
given with --insecure-storage.`,
    options: {},
    exits: { 0: 'printed' },
    run: async ({ terminal, env }) => {
      terminal.say(configFolder(env))
      return 0
    },
  },
}

async function list({ terminal, env, self, values }: Surroundings): Promise<ExitCode> {
  const { current, byName } = await readProfiles(env)
  const rows = [...byName].map(([name, { origin, logKey, secret }]) => ({
    name,
    current: name === current,
    url: origin,
    log_key: logKey ?? null,
    secret: secret === undefined ? null : placeWords(env, secret),
  }))
  if (values.json === true) {
    sayDocument(terminal, rows)
    return 0
  }
  if (rows.length === 0) terminal.note(`There are none. ${self} login makes a start.`)
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const { name, current: isCurrent, url, secret } of rows)
    terminal.say(
      `${isCurrent ? '*' : ' '} ${name.padEnd(width)}  ${url}  ${secret === null ? 'not signed in' : `signed in: ${printable(secret)}`}`,
    )
  return 0
}

async function use({ terminal, env, self, values }: Surroundings, name: string): Promise<ExitCode> {
  const address = textOption(values, 'url')
  const key = textOption(values, 'log-key')
  if (!isProfileName(name)) throw new Complaint(`${printable(name)} is no name for a profile.`)
  const typedOrigin = address === undefined ? undefined : requiredOrigin(address)
  const typedKey = key === undefined ? undefined : verifierKey(key)
  await changeProfiles(env, (profiles) => {
    const held = profiles.byName.get(name)
    const origin = typedOrigin ?? held?.origin
    if (origin === undefined)
      throw new Complaint(`There is no profile ${name}.`, {
        advice: `Make it: ${self} login --url <service> --profile ${name}`,
      })
    if (held?.secret !== undefined && origin !== held.origin)
      throw new Complaint(`The profile ${name} is signed in at ${held.origin}.`, {
        advice: `Sign out first: ${self} logout --profile ${name}`,
      })
    const changed = { origin, logKey: typedKey ?? held?.logKey, secret: held?.secret }
    return { ...withProfile(profiles, name, changed), current: name }
  })
  terminal.note(`Commands use the profile ${name} now.`)
  return 0
}

function verifierKey(text: string): string {
  const key = readOrUndefined(() => readVerifierKey(text))
  if (key !== undefined) return writeVerifierKey(key)
  throw new Complaint(`${text} is not the verifier key of a log.`)
}
