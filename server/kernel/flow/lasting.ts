// Work that lasts until it is over: an answer on its way (`ServerResponse`), a call of a tool, a part of either.
import { EventEmitter } from 'node:events'

/** What holds a turn until it is over. */
export interface Lasting {
  readonly closed: boolean
  once(event: 'close', done: () => void): unknown
  off(event: 'close', done: () => void): unknown
}

/**
 * Calls `done` when the work is over. The function that is returned forgets that: work may wait many times before it is
 * over.
 */
export function whenOver(work: Lasting, done: () => void): () => void {
  if (work.closed) done()
  else work.once('close', done)
  return () => work.off('close', done)
}

/** Work that its holder ends. */
export class Endable extends EventEmitter implements Lasting {
  closed = false

  readonly end = (): void => {
    if (this.closed) return
    this.closed = true
    this.emit('close')
  }
}
