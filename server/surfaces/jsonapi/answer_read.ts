// The last step of a bare read: runs it and takes its object as the answer, at once when it is in memory.
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Exchange } from './exchange.ts'

/** @throws Refusal of a parameter, or of the operation */
export function answerRead(exchange: Exchange): AtOnce<void> {
  const { operation, context, parameters, problems } = exchange
  if (operation?.kind !== 'read' || context === undefined) throw refuse('no_route_found')
  problems.refuse()
  const read: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(operation.parameters))
    read[name] = parameter.read(parameters[name] ?? '') ?? ''
  return whenKnown(operation.run(context, read), (body) => {
    exchange.body = body
  })
}
