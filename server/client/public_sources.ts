// The public chains and entropy sources that a verification may ask, and how it asks them.
import type { GetJson } from '../../shared/proof/lookups/http_lookups.ts'
import {
  LOOKUP_PLACES,
  type LookupAddresses,
  lookupAddresses,
} from '../../shared/proof/lookups/lookup_places.ts'
import { Complaint } from './complaint.ts'
import { askHttp } from './get_json.ts'

/**
 * The public addresses, unless the environment names mirrors.
 * @throws Complaint for a mirror that is not an address
 */
export const mirrorsOr = (env: NodeJS.ProcessEnv): LookupAddresses =>
  lookupAddresses((place) => {
    const { verifierSetting, byDefault } = LOOKUP_PLACES[place]
    return addressOf(env, verifierSetting, byDefault)
  })

const addressOf = (env: NodeJS.ProcessEnv, name: string, usual: string): string => {
  const given = env[name] ?? ''
  if (given === '') return usual
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Complaint(`${name} is not an http(s) address.`)
  return given.replace(/\/+$/, '')
}

/** Never throws. A source that does not answer is a finding of the report, not an error. */
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
