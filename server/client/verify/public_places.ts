// Whom `pharos verify` asks about the public chains: the usual services, or mirrors that the environment names.
import { askHttp } from '../../../shared/cli/get_bytes.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import {
  type GetJson,
  httpLookups,
  LOOKUP_PLACES,
  type Lookups,
  lookupAddresses,
} from '../../../shared/proof/lookups/lookup.ts'

/** @throws Complaint for a mirror that is not an address */
export const publicLookups = (env: NodeJS.ProcessEnv): Lookups =>
  httpLookups({
    getJson,
    addresses: lookupAddresses((place) => {
      const { verifierSetting, byDefault } = LOOKUP_PLACES[place]
      return addressOf(env, verifierSetting, byDefault)
    }),
  })

function addressOf(env: NodeJS.ProcessEnv, name: string, usual: string): string {
  const given = env[name] ?? ''
  if (given === '') return usual
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Complaint(`${name} is not an http(s) address.`)
  return given.replace(/\/+$/, '')
}

/** Never throws. A source that does not answer is a finding of the report, not an error. */
const getJson: GetJson = async (url) => {
  try {
    const { status, bytes } = await askHttp(new URL(url))
    return { status, body: status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : null }
  } catch (error) {
    if (error instanceof Complaint) return { failure: error.message }
    if (error instanceof SyntaxError) return { failure: `${new URL(url).origin} sent no JSON.` }
    throw error
  }
}
