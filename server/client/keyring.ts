// `pharos keyring`: the keyrings stored on this computer, and the services they belong to.
import { type ClientCommand, type Surroundings, textOption } from '../../shared/cli/command.ts'
import { Complaint, type ExitCode, plural, printable } from '../../shared/cli/terminal.ts'
import { findKeyring, forgetKeyring, rememberedKeyrings, rememberKeyring, shelfFolder } from './keyrings.ts'

export const keyring: ClientCommand = {
  usage: 'add <file or address> [--name <name>] | list | remove <name>',
  meaning: 'remembers whose keys are good, so that proofs can be verified without their service',
  help: `
Every service publishes the keys it ever signed with, at /.well-known/keyring.json. A proof says which key signed
it; only a keyring says whose key that is. What is remembered here is used by every later "verify".

  add <file or address>   remembers the keyring of a service (https://pharos.example) or in a file
      --name <name>       under another name than the service's host
  list                    shows what is remembered
  remove <name>           forgets one

They are kept in $XDG_CONFIG_HOME/pharos/keyrings (~/.config/pharos/keyrings). "proof" remembers the keyring of the
service it asks.`,
  options: { name: { type: 'string' } },
  run: (surroundings, values, [verb, subject]) => {
    switch (verb) {
      case 'add':
        return add(surroundings, required(verb, subject), textOption(values, 'name'))
      case 'list':
        return list(surroundings)
      case 'remove':
        return remove(surroundings, required(verb, subject))
      default:
        throw new Complaint('Say what to do: add, list or remove.', {
          advice: `${surroundings.self} keyring --help`,
        })
    }
  },
}

async function add({ terminal, env }: Surroundings, source: string, name?: string): Promise<ExitCode> {
  const found = await findKeyring(source)
  const known = name ?? found.name
  const path = await rememberKeyring(shelfFolder(env), known, found.document)
  terminal.say(
    `Remembered ${plural(found.keys.length, 'key')} of ${printable(known)}: ${found.keys.map(({ key_id }) => key_id).join(', ')}`,
  )
  terminal.note(path)
  return 0
}

async function list({ terminal, env, self }: Surroundings): Promise<ExitCode> {
  const shelf = await rememberedKeyrings(shelfFolder(env))
  for (const { name, keys, rememberedAt } of shelf)
    terminal.say(
      `${printable(name)}  ${keys.map(({ key_id }) => key_id).join(', ')}  (since ${rememberedAt.toISOString().slice(0, 10)})`,
    )
  if (shelf.length === 0)
    terminal.note(`No keyring is remembered. ${self} keyring add https://your.service makes a start.`)
  return 0
}

async function remove({ terminal, env }: Surroundings, name: string): Promise<ExitCode> {
  if (!(await forgetKeyring(shelfFolder(env), name)))
    throw new Complaint(`No keyring is remembered under the name ${name}.`, { exitCode: 1 })
  terminal.say(`Forgot the keyring of ${name}.`)
  return 0
}

const required = (verb: string, subject: string | undefined): string => {
  if (subject === undefined || subject === '')
    throw new Complaint(`keyring ${verb} needs ${verb === 'add' ? 'a file or an address' : 'a name'}.`)
  return subject
}
