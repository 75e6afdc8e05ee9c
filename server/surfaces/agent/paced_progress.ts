// Passes on the progress of a call at a pace that clients can follow.
import type { Progress } from '../../catalog/context.ts'

/** Milliseconds between two notices of one call. */
const PACE_MS = 100

/** Leaves out notices that come too soon after another, and those that go back, which the protocol forbids. */
export function pacedProgress(send: (progress: Progress) => void): (progress: Progress) => void {
  let sentAt = Number.NEGATIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - sentAt < PACE_MS || progress.progress <= highest) return
    sentAt = now
    highest = progress.progress
    send(progress)
  }
}
