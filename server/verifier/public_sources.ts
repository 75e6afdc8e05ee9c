// The public chains and entropy sources that a verification may ask, and how they are asked.
import type { GetJson, LookupAddresses } from '../../shared/proof/http_lookups.ts'
import { Complaint } from './complaint.ts'
import { askHttp } from './get_json.ts'

/** The addresses everybody uses, unless the environment names mirrors. @throws Complaint about one that is no address */
export const lookupAddresses = (env: NodeJS.ProcessEnv): LookupAddresses => ({
  horizonPublic: addressOf(env, 'PHAROS_HORIZON', 'https://horizon.stellar.org'),
  horizonTestnet: addressOf(env, 'PHAROS_HORIZON_TESTNET', 'https://horizon-testnet.stellar.org'),
  esploraMainnet: addressOf(env, 'PHAROS_ESPLORA', 'https://blockstream.info/api'),
  esploraTestnet: addressOf(env, 'PHAROS_ESPLORA_TESTNET', 'https://blockstream.info/testnet/api'),
  nist: addressOf(env, 'PHAROS_NIST', 'https://beacon.nist.gov/beacon/2.0'),
})

const addressOf = (env: NodeJS.ProcessEnv, name: string, usual: string): string => {
  const given = env[name] ?? ''
  if (given === '') return usual
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Complaint(`${name} is not an http(s) address.`)
  return given.replace(/\/+$/, '')
}

/** What a source does not answer is not checked; that it did not is a fact of the report, not an error. */
export const getJson: GetJson = async (url) => {
  try {
    const { status, text } = await askHttp(new URL(url))
    return { status, body: status === 200 ? JSON.parse(text) : null }
  } catch (error) {
    if (error instanceof Complaint) return { failure: error.message }
    if (error instanceof SyntaxError) return { failure: `${new URL(url).origin} sent no JSON.` }
    throw error
  }
}
