// `pharos whoami`: whose credential commands ask with, what it may do, until when, and where it lies.
import type { ClientCommand } from '../../../shared/cli/command.ts'
import { Complaint, printable, sayDocument } from '../../../shared/cli/terminal.ts'
import { accountOf, defaultTeam, keyEnd } from './account.ts'
import { SERVICE_OPTIONS, serviceFrom } from './ask_service.ts'
import { choose, findSecret, withOrigin } from './choice.ts'
import type { Secret } from './secret.ts'

export const whoami: ClientCommand = {
  usage: '[--url <service>] [--tenant <team id>] [--json]',
  meaning: 'says who you are for a service, and where the secret lies',
  help: `
Asks the service with the credential that other commands would use, and names the account, the team that they act in,
what the credential may do, when it ends, and where it lies. As JSON, "scopes" is null where nothing limits it, and
"ends_at" where it does not end by itself, or that is not known.`,
  options: { ...SERVICE_OPTIONS, json: { type: 'boolean', meaning: 'prints it as JSON' } },
  exits: { 0: 'signed in', 2: 'it could not be asked', 4: 'not signed in' },
  run: async (surroundings, values) => {
    const { terminal } = surroundings
    const service = await serviceFrom(surroundings, values)
    const { origin } = service.url
    const account = await accountOf(service)
    const team = await defaultTeam(service, account)
    // After the requests, so that it is what was renewed meanwhile.
    const found = await findSecret(surroundings, withOrigin(await choose(surroundings, values)), origin)
    if (found === undefined) throw new Complaint(`The sign-in at ${origin} has just ended.`, { exitCode: 4 })
    const { secret, kept, placeWords: place } = found
    const scopes = secret.kind === 'api_key' ? null : secret.tokens.scope.split(' ')
    const endsAt = secret.kind === 'api_key' ? await keyEnd(service, secret.key) : secret.tokens.endsAt
    if (values.json === true) {
      const { id, name, email, plan } = account
      const credential = { kind: secret.kind, scopes, ends_at: endsAt ?? null, place }
      const said = { service: origin, profile: kept?.profile ?? null, account: { id, name, email, plan } }
      sayDocument(terminal, { ...said, team: team ?? null, credential })
      return 0
    }
    const rows = {
      account: `${account.words}, plan ${account.plan}`,
      service: kept === undefined ? origin : `${origin}, profile ${kept.profile}`,
      team: team === undefined ? 'not known' : `${team.name}, ${team.role}`,
      may: scopes?.join(' ') ?? 'all that the account may',
      ends: endWords(endsAt, secret),
      secret: place,
    }
    for (const [name, text] of Object.entries(rows)) terminal.say(`${name.padEnd(9)}${printable(text)}`)
    return 0
  },
}

const endWords = (endsAt: string | null | undefined, { kind }: Secret): string => {
  if (endsAt === undefined) return 'not known'
  if (endsAt === null) return 'not by itself'
  return kind === 'sign_in' ? `${endsAt}, and is renewed then` : endsAt
}
