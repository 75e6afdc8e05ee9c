// The witnesses of the public log as this server knows them: the policy of the operator, and how they are reached.
import { open } from 'node:fs/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { POLICY_CEILINGS } from '../shared/log/log_policy.ts'
import { logKeyInUse } from './domain/log/log_key.ts'
import { type ConnectWitness, WitnessAway } from './domain/log/offer_checkpoint.ts'
import { readWitnessing, type Witnessing } from './domain/log/witnessing.ts'
import { type Conversation, conversePinned } from './domain/webhooks/converse_pinned.ts'
import type { Guard } from './domain/webhooks/guard/vet_target.ts'
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

/** @throws an Error that says what is wrong with the file */
export async function readWitnessPolicy({ em }: { em: EntityManager }, file: string): Promise<Witnessing> {
  try {
    const key = await logKeyInUse({ em })
    if (key === undefined) throw new Error('the public log has no key yet')
    return readWitnessing(await readSmall(file), key.verifier)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`WITNESS_POLICY (${file}) cannot be used: ${why}.`, { cause: error })
  }
}

/** At most one byte more than a policy may have, because that is enough to refuse it. */
async function readSmall(file: string): Promise<Uint8Array> {
  const opened = await open(file, 'r')
  try {
    const bytes = Buffer.alloc(POLICY_CEILINGS.bytes + 1)
    const { bytesRead } = await opened.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await opened.close()
  }
}

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
