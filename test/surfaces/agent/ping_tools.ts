// The smallest request that the agent tools answer.
import { type Answer, ask } from '../../support/http.ts'

export const pingTools = (port: number, key: string): Promise<Answer> =>
  ask(port, '/mcp', {
    key,
    headers: { 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
