// How this server reaches the witnesses of its public log.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type ConnectWitness, WitnessAway } from '../domain/log/offer_checkpoint.ts'
import type { Witnessing } from '../domain/log/witnessing.ts'
import { type Conversation, conversePinned } from '../outgoing/converse_pinned.ts'
import type { Guard } from '../outgoing/vet_target.ts'
import { readWitnessPolicy } from '../start/witness_policy.ts'
import type { WebhookNetwork } from './webhooks.ts'

export interface Witnesses {
  readonly witnessing: Witnessing
  readonly connect: ConnectWitness
}

/** @throws an Error that says what is wrong with the file */
export const openWitnesses = async (
  {
    em,
    network,
    guard,
  }: { readonly em: EntityManager; readonly network: WebhookNetwork; readonly guard: Guard },
  file: string,
): Promise<Witnesses> => ({
  witnessing: await readWitnessPolicy({ em }, file),
  connect: connectWitnesses(network, guard),
})

/** Witnesses are reached as receivers of webhooks are, and without TLS only where private addresses are allowed. */
export function connectWitnesses(network: WebhookNetwork, guard: Guard): ConnectWitness {
  const { allow, ca } = network
  const converse = conversePinned({ guard, allow, ...(ca === undefined ? {} : { ca }) })
  return async (url, signal) => {
    const conversation = await away(within(converse(url), signal))
    return Object.freeze({
      post: (to: URL, body: string, over: AbortSignal) => away(conversation.post(to, body, over)),
      get: (to: URL, over: AbortSignal) => away(conversation.get(to, over)),
      close: conversation.close,
    })
  }
}

/** Every failure of a conversation is one of the network. */
const away = <T>(talk: Promise<T>): Promise<T> =>
  talk.catch((cause: unknown) => {
    throw new WitnessAway(cause instanceof Error ? cause.message : String(cause), { cause })
  })

/** A name server may take longer than a round. Then the conversation ends as soon as it begins. */
async function within(opening: Promise<Conversation>, signal: AbortSignal): Promise<Conversation> {
  const over = Promise.withResolvers<never>()
  const abort = (): void => over.reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  opening.then(
    (late) => {
      if (signal.aborted) late.close()
    },
    () => undefined,
  )
  try {
    return await Promise.race([opening, over.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
