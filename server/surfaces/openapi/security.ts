// The two types of credentials as security schemes, and what each operation needs of them.
import { API_SCOPE_OF } from '../http/insufficient_scope.ts'
import type { Node } from './node.ts'
import type { HttpOperation } from './placed.ts'

/** The scopes that any client may ask for. `account` is the console's own and stands here for the operations' sake. */
const SCOPES = {
  'api:read': 'Read, use the utilities and the knowledge base, generate and verify proofs.',
  'api:write': 'Everything else on the API, and reading.',
  account: 'Change credentials and memberships. Only the service’s own console gets it.',
} as const satisfies Record<(typeof API_SCOPE_OF)[keyof typeof API_SCOPE_OF], string>

/** @param base the public origin, on which all endpoints of the authorization server lie */
export const securitySchemes = (base: string): Node => ({
  api_key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (`phk_…`), which may do everything that its account may. An access token is sent the same way.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'An access token. Every client uses PKCE with S256, and names this service as `resource`. The rest is in `/.well-known/oauth-authorization-server`.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${base}/oauth/authorize`,
        tokenUrl: `${base}/oauth/token`,
        refreshUrl: `${base}/oauth/token`,
        scopes: SCOPES,
      },
    },
  },
})

/** Either of the two. */
export const securityOf = ({ access }: HttpOperation): Node[] => [
  { api_key: [] },
  { oauth2: [API_SCOPE_OF[access]] },
]
