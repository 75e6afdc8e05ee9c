// Error codes of Bitcoin Core's JSON-RPC. Clients branch on the number; the message is text for people.

export const RPC_CODES = {
  wrong_type: -3,
  wallet: -4,
  not_found: -5,
  invalid_parameter: -8,
  wallet_not_found: -18,
  unreadable: -22,
  missing_inputs: -25,
  refused: -26,
  already_in_chain: -27,
  not_ready: -28,
  method_not_found: -32601,
  invalid_request: -32600,
  internal: -32603,
  unreadable_request: -32700,
} as const
export type RpcCode = keyof typeof RPC_CODES

/** An expected refusal by the node. */
export class RpcRefusal extends Error {
  readonly code: RpcCode

  constructor(code: RpcCode, message: string) {
    super(message)
    this.name = 'RpcRefusal'
    this.code = code
  }
}

export const refuseCall = (code: RpcCode, message: string): RpcRefusal => new RpcRefusal(code, message)
