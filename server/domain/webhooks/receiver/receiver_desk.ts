// What the owner of addresses of the built-in receiver can do with them.
import type { EntityManager } from '@mikro-orm/postgresql'
import {
  deleteAddress,
  listAddresses,
  makeAddress,
  type ReceiverAddress,
  type ReceiverAnswer,
  readAddress,
  setAnswers,
} from './receiver_address.ts'
import type { ReceiverOff } from './receiver_off.ts'
import { listRequests, type ReceiverRequest } from './receiver_request.ts'

interface Which {
  readonly userId: string
  readonly token: string
}

export interface ReceiverDesk {
  /** Why there is no receiver. Then nothing else may be called. */
  readonly off: ReceiverOff | undefined
  readonly list: (userId: string) => Promise<readonly ReceiverAddress[]>
  /** @throws conflict */
  readonly make: (userId: string) => Promise<ReceiverAddress>
  /** @throws not_found */
  readonly read: (which: Which) => Promise<ReceiverAddress>
  /** To be called after `read`, which looks whose address it is. */
  readonly requests: (token: string) => Promise<readonly ReceiverRequest[]>
  /** @throws not_found */
  readonly setAnswers: (which: Which & { readonly answers: ReceiverAnswer }) => Promise<void>
  /** @throws not_found */
  readonly remove: (which: Which) => Promise<void>
}

export const receiverDesk = (
  em: (purpose: 'read' | 'write') => EntityManager,
  off: ReceiverOff | undefined,
): ReceiverDesk =>
  Object.freeze({
    off,
    list: (userId: string) => listAddresses({ em: em('read') }, userId),
    make: (userId: string) => makeAddress({ em: em('write') }, userId),
    read: (which: Which) => readAddress({ em: em('read') }, which),
    requests: (token: string) => listRequests({ em: em('read') }, token),
    setAnswers: (which: Which & { readonly answers: ReceiverAnswer }) =>
      setAnswers({ em: em('write') }, which),
    remove: (which: Which) => deleteAddress({ em: em('write') }, which),
  })
