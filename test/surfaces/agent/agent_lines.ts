// The official client of the protocol in both of its lines, as a program on a person's computer uses it.
import {
  type CallToolResult,
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'

export interface Agent {
  /** Rejects while nobody is signed in. */
  readonly connected: Promise<void>
  /** The person came back to this address. */
  readonly finish: (callback: URL) => Promise<void>
  readonly toolNames: () => Promise<readonly string[]>
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>
  readonly close: () => Promise<void>
}

type OpenAgent = (base: string, memory: AgentMemory) => Agent

const IDENTITY = { name: 'an agent', version: '1' }

export const LINES: Readonly<Record<'1.x' | '2.x', OpenAgent>> = {
  '1.x': (base, authProvider) => {
    const client = new Client1(IDENTITY)
    const transport = new Transport1(new URL(`${base}/mcp`), { authProvider })
    return {
      connected: client.connect(transport),
      finish: ({ searchParams }) => transport.finishAuth(searchParams.get('code') ?? ''),
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) =>
        CallToolResultSchema.parse(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    }
  },
  '2.x': (base, authProvider) => {
    const client = new Client(IDENTITY)
    const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider })
    return {
      connected: client.connect(transport),
      finish: ({ searchParams }) => transport.finishAuth(searchParams),
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, args) => client.callTool({ name, ...(args && { arguments: args }) }),
      close: () => client.close(),
    }
  },
}

export interface AgentMemory extends OAuthClientProvider {
  /** Where the client sent the person last. */
  readonly sentTo: () => URL
  /** As if the person had removed the tokens. The client stays registered. */
  readonly dropTokens: () => void
}

/** What a client keeps, as its documentation shows it. */
export function agentMemory(redirectUrl: string): AgentMemory {
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  let destination: URL | undefined
  return {
    redirectUrl,
    clientMetadata: { client_name: 'A foreign agent', redirect_uris: [redirectUrl] },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
    },
    redirectToAuthorization: (url) => {
      destination = url
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => {
      discovered = state
    },
    discoveryState: () => discovered,
    sentTo: () => {
      if (destination === undefined) throw new Error('The client asked for nothing.')
      return destination
    },
    dropTokens: () => {
      tokens = undefined
    },
  }
}
