// Whose credential it is that a service is asked with, and in which team it acts.
import { Complaint } from '../../../shared/cli/terminal.ts'
import { type JsonValue, memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { askService, type Service, ServiceRefused } from './ask_service.ts'

export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly plan: string
  readonly defaultTeamId: string | undefined
  /** For people. */
  readonly words: string
}

/** @throws Complaint when the service does not accept the credential */
export async function accountOf(service: Service): Promise<Account> {
  const { id, attributes } = recordIn(memberAt(await askOwn(service, '/api/json/users/me'), 'data'))
  const [name = '', email = '', plan = ''] = ['full_name', 'email', 'plan'].map((one) =>
    textAt(attributes, one),
  )
  const words = name === '' ? email : `${name} (${email})`
  return { id, name, email, plan, defaultTeamId: textAt(attributes, 'default_team_id'), words }
}

export interface OwnTeam {
  readonly id: string
  readonly name: string
  readonly role: string
}

/**
 * The team that is named, or the one that requests without a team act in: the default one while the caller may write there,
 * else the personal one. Undefined when it is not among the first that the service lists.
 * @throws Complaint
 */
export async function defaultTeam(
  service: Service,
  { defaultTeamId }: Account,
): Promise<OwnTeam | undefined> {
  const teams = await listed(service, '/api/json/teams')
  const { tenant } = service.headers
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
export async function keyEnd(service: Service, key: string): Promise<string | null | undefined> {
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
