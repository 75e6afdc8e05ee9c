// The official client of the protocol, in each of the two revisions.
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Scope } from '../../../server/domain/accounts/scope.ts'
import { accessToken } from '../../support/access_token.ts'
import type { TestAccount, TestApp } from '../../support/app.ts'

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

export const agentToken = async (
  app: TestApp,
  account: TestAccount = app.owner,
  scopes: readonly Scope[] = ['mcp:write'],
): Promise<string> => (await accessToken(app, { userId: account.userId, scopes, resource: 'mcp' })).token

export interface ClientChoices {
  /** Called instead of `fetch`. */
  readonly send?: typeof fetch
}

/** Connected. The caller closes it. */
export async function agentClient(
  { base }: Pick<TestApp, 'base'>,
  token: string,
  revision: Revision,
  { send = fetch }: ClientChoices = {},
): Promise<Client> {
  const client = new Client(
    { name: 'a test', version: '1' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: send,
  })
  await client.connect(transport)
  return client
}

/** What a failed call says: the JSON of its text. A failure has nothing else. */
export function failureIn({ isError, content, structuredContent }: CallToolResult): Record<string, unknown> {
  const [text, ...more] = content
  if (isError !== true || text?.type !== 'text' || more.length > 0 || structuredContent !== undefined)
    throw new Error(`no failure: ${JSON.stringify({ isError, content, structuredContent })}`)
  return Object.fromEntries(Object.entries(Object(JSON.parse(text.text))))
}
