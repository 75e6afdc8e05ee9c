// The public services that a verification may ask, one row each. Base addresses never come from a bundle.

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
