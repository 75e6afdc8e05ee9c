// Whose credential it is that a service is asked with, and in which team it acts; and `pharos whoami`, which says so, with what the
// credential may do, until when, and where it lies.
import type { ClientCommand } from '../../../shared/cli/command.ts'
import { Complaint, printable, sayDocument } from '../../../shared/cli/terminal.ts'
import { type JsonValue, memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { askService, SERVICE_OPTIONS, type Service, ServiceRefused, serviceFrom } from '../ask/ask_service.ts'
import { choose, findSecret, withOrigin } from './choice.ts'
import type { Secret } from './secret.ts'

/** @throws Complaint when the service does not accept the credential */
export async function accountOf(service: Service) {
  const { id, attributes } = recordIn(memberAt(await askOwn(service, '/api/json/users/me'), 'data'))
  const [name = '', email = '', plan = ''] = ['full_name', 'email', 'plan'].map((one) =>
    textAt(attributes, one),
  )
  /** For people. */
  const words = name === '' ? email : `${name} (${email})`
  return { id, name, email, plan, defaultTeamId: textAt(attributes, 'default_team_id'), words }
}

export type Account = Awaited<ReturnType<typeof accountOf>>

/**
 * The team that is named, or the one that requests without a team act in: the default one while the caller may write there,
 * else the personal one. Undefined when it is not among the first that the service lists.
 * @throws Complaint
 */
async function defaultTeam(service: Service, { defaultTeamId }: Account) {
  const teams = await listed(service, '/api/json/teams')
  const { tenant } = service
  const named = (id: string | undefined) => teams.find((team) => team.id === id)
  const usual = named(defaultTeamId)
  const found =
    tenant !== undefined
      ? named(tenant)
      : usual !== undefined && textAt(usual.attributes, 'role') !== 'viewer'
        ? usual
        : teams.find(({ attributes }) => memberAt(attributes, 'personal') === true)
  if (found === undefined) return undefined
  const { id, attributes } = found
  return { id, name: textAt(attributes, 'name') ?? '', role: textAt(attributes, 'role') ?? '' }
}

/**
 * When the key ends by itself. Null when it does not, undefined when it is not known which of the listed keys it is.
 * @throws Complaint
 */
async function keyEnd(service: Service, key: string): Promise<string | null | undefined> {
  const valid = (await listed(service, '/api/json/api-keys'))
    .map(({ attributes }) => attributes)
    .filter((one) => memberAt(one, 'revoked_at') === null && key.startsWith(textAt(one, 'prefix') ?? '\n'))
  const [only, ...more] = valid
  if (only === undefined || more.length > 0) return undefined
  return textAt(only, 'expires_at') ?? null
}

/**
 * What every account may read, so that there is no plain no: either the credential does not suffice, or it is no service.
 * @throws Complaint
 */
async function askOwn(service: Service, path: string): Promise<JsonValue> {
  try {
    return await askService(service, path)
  } catch (error) {
    if (!(error instanceof ServiceRefused) || error.exitCode !== 1) throw error
    if (error.status === 404)
      throw new Complaint(`${service.url.origin} knows no accounts.`, {
        advice: 'Is it the address of a Pharos service?',
      })
    throw new Complaint(error.message, {
      exitCode: error.status === 403 ? 4 : 2,
      advice: error.advice,
    })
  }
}

/** The first page of a list. */
async function listed(service: Service, path: string) {
  const rows = memberAt(await askOwn(service, `${path}?page[limit]=250`), 'data')
  return (Array.isArray(rows) ? rows : []).map(recordIn)
}

const recordIn = (value: JsonValue | undefined) => ({
  id: textAt(value, 'id') ?? '',
  attributes: memberAt(value, 'attributes'),
})

export const whoami: ClientCommand = {
  usage: '[--url <service>] [--tenant <team id>] [--json]',
  meaning: 'says who you are for a service, and where the secret lies',
  help: `
Asks the service with the credential that other commands would use, and names the account, the team that they act in,
what the credential may do, when it ends, and where it lies. As JSON, "scopes" is null where nothing limits it, and
"ends_at" where it does not end by itself, or that is not known.`,
  options: { ...SERVICE_OPTIONS, json: { meaning: 'prints it as JSON' } },
  exits: { 0: 'signed in', 2: 'it could not be asked', 4: 'not signed in' },
  run: async (surroundings) => {
    const { terminal, values } = surroundings
    const service = await serviceFrom(surroundings)
    const { origin } = service.url
    const account = await accountOf(service)
    const team = await defaultTeam(service, account)
    // After the requests, so that it is what was renewed meanwhile.
    const found = await findSecret(surroundings, withOrigin(await choose(surroundings)), origin)
    if (found === undefined) throw new Complaint(`The sign-in at ${origin} has just ended.`, { exitCode: 4 })
    const { secret, kept, placeWords: place } = found
    const scopes = secret.kind === 'api_key' ? null : secret.tokens.scope.split(' ')
    const endsAt = secret.kind === 'api_key' ? await keyEnd(service, secret.key) : secret.tokens.ends_at
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
