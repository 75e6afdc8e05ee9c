// Questions that a verifier asks public services. A question has one answer, or none when the service cannot
// be reached.

/**
 * `absent`: the source answered that the record does not exist. `unreachable`: there is no readable answer,
 * and `why` says why, for people.
 */
export type Lookup<Found> =
  | { readonly outcome: 'found'; readonly value: Found }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unreachable'; readonly why: string }

/**
 * Asks one place for one path. A found value is the JSON as received. Text from a bundle only ever becomes a
 * checked part of the path, never the address.
 */
export interface Lookups {
  readonly ask: (place: LookupPlace, path: string) => Promise<Lookup<unknown>>
}

export interface Question<Found> {
  readonly place: LookupPlace
  readonly path: string
  /**
   * Undefined when the answer lacks a required member. An absent optional member is undefined, and undefined
   * agrees with nothing.
   */
  readonly read: (body: unknown) => Found | undefined
}

export async function look<Found>(
  lookups: Lookups,
  { place, path, read }: Question<Found>,
): Promise<Lookup<Found>> {
  const answer = await lookups.ask(place, path)
  if (answer.outcome !== 'found') return answer
  const value = read(answer.value)
  return value === undefined
    ? { outcome: 'unreachable', why: 'its answer is not readable' }
    : { outcome: 'found', value }
}

export function memberIn(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}

export function stringIn(body: unknown, name: string): string | undefined {
  const value = memberIn(body, name)
  return typeof value === 'string' ? value : undefined
}

export function integerIn(body: unknown, name: string): number | undefined {
  const value = memberIn(body, name)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

/**
 * One GET with limits on time and bytes. `body` is the parsed JSON; undefined when the answer is not JSON,
 * which is normal for a 404. `failure` gives a short reason why there is no answer. Does not throw on network
 * errors.
 */
export type GetJson = (
  url: string,
) => Promise<{ readonly status: number; readonly body: unknown } | { readonly failure: string }>

/** Lookups over HTTP. Each question gets one attempt, and only status 200 is an answer. */
export const httpLookups = ({
  getJson,
  addresses,
}: {
  getJson: GetJson
  addresses: LookupAddresses
}): Lookups => ({
  ask: async (place, path) => {
    const answer = await getJson(`${addresses[place].replace(/\/+$/, '')}/${path}`)
    if ('failure' in answer) return { outcome: 'unreachable', why: answer.failure }
    if (answer.status === 404) return { outcome: 'absent' }
    if (answer.status !== 200)
      return { outcome: 'unreachable', why: `it answered with status ${answer.status}` }
    return { outcome: 'found', value: answer.body }
  },
})

interface Row {
  /** The settings that name a mirror: one for the server, one for the command-line verifier. */
  readonly setting: string
  readonly verifierSetting: string
  /** The public address. */
  readonly byDefault: string
  readonly meaning: string
}

export const LOOKUP_PLACES = {
  horizonPublic: {
    setting: 'LOOKUP_HORIZON_PUBLIC_URL',
    verifierSetting: 'PHAROS_HORIZON',
    byDefault: 'https://horizon.stellar.org',
    meaning: 'Horizon of the public network that verifications ask',
  },
  horizonTestnet: {
    setting: 'LOOKUP_HORIZON_TESTNET_URL',
    verifierSetting: 'PHAROS_HORIZON_TESTNET',
    byDefault: 'https://horizon-testnet.stellar.org',
    meaning: 'Horizon of the test network that verifications ask',
  },
  esploraMainnet: {
    setting: 'LOOKUP_ESPLORA_MAINNET_URL',
    verifierSetting: 'PHAROS_ESPLORA',
    byDefault: 'https://blockstream.info/api',
    meaning: 'Esplora API of Bitcoin mainnet that verifications ask',
  },
  esploraTestnet: {
    setting: 'LOOKUP_ESPLORA_TESTNET_URL',
    verifierSetting: 'PHAROS_ESPLORA_TESTNET',
    byDefault: 'https://blockstream.info/testnet/api',
    meaning: 'Esplora API of the Bitcoin test network that verifications ask',
  },
  nist: {
    setting: 'LOOKUP_NIST_URL',
    verifierSetting: 'PHAROS_NIST',
    byDefault: 'https://beacon.nist.gov/beacon/2.0',
    meaning: 'NIST Randomness Beacon that verifications ask',
  },
} as const satisfies Readonly<Record<string, Row>>

export type LookupPlace = keyof typeof LOOKUP_PLACES
export type LookupAddresses = Readonly<Record<LookupPlace, string>>

const isLookupPlace = (name: string): name is LookupPlace => Object.hasOwn(LOOKUP_PLACES, name)

export const LOOKUP_PLACE_NAMES: readonly LookupPlace[] = Object.keys(LOOKUP_PLACES).filter(isLookupPlace)

/** One address for each place. */
export const lookupAddresses = <Of>(of: (place: LookupPlace) => Of): Readonly<Record<LookupPlace, Of>> => ({
  horizonPublic: of('horizonPublic'),
  horizonTestnet: of('horizonTestnet'),
  esploraMainnet: of('esploraMainnet'),
  esploraTestnet: of('esploraTestnet'),
  nist: of('nist'),
})
