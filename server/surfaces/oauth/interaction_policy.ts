// When the person is asked: to sign in, and to agree.
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { FIRST_PARTY_CLIENT } from '../../domain/accounts/scope.ts'
import { isUnverified } from '../../domain/oauth/redirect_uri.ts'
import { SIGN_IN_AGE } from './authorization_request.ts'

const { Check, Prompt } = interactionPolicy

export const interactionPrompts = () => [
  new Prompt(
    { name: 'login', requestable: true },
    new Check('no_session', 'the person is not signed in', ({ oidc }) => oidc.account === undefined),
    new Check('sign_in_age', 'the sign-in is older than the client accepts', isTooOld),
  ),
  new Prompt(
    { name: 'consent', requestable: true },
    new Check('unverified_client', 'the person is asked each time', 'interaction_required', isAskedEachTime),
    new Check('scopes_missing', 'the person has not agreed to these scopes', lacksScopes),
  ),
]

function isTooOld({ oidc }: KoaContextWithOIDC): boolean {
  const age = oidc.params?.[SIGN_IN_AGE]
  if (age === undefined || oidc.result?.login !== undefined) return false
  // Nobody signed in less than no time ago, also not in the second that goes on.
  return Number(age) === 0 || oidc.session === undefined || oidc.session.past(Number(age))
}

/** RFC 8252 section 8.6: another program could pose as a client whose address is not https. */
const isAskedEachTime = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.client?.clientId !== FIRST_PARTY_CLIENT &&
  oidc.result?.consent === undefined &&
  isUnverified(String(oidc.params?.redirect_uri))

function lacksScopes({ oidc }: KoaContextWithOIDC): boolean {
  const asked = String(oidc.params?.scope ?? '').split(' ')
  return Object.keys(oidc.resourceServers ?? {}).some((resource) => {
    const granted = oidc.entities.Grant?.getResourceScope(resource).split(' ') ?? []
    return asked.some((scope) => !granted.includes(scope))
  })
}
