// Admits scripts: so many of an account and in all have a thread on this server, one of them computes at a time, the
// account that computed least goes next, and none goes without budget.
import { setTimeout as delay } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { rateLimited } from '../../../domain/limits/charge.ts'
import type { Limits } from '../../../domain/limits/limits.ts'
import { databaseTime } from '../../../domain/utilities/server_time.ts'
import type { Ceilings } from '../../../kernel/ceilings.ts'
import { fairGate } from '../../../kernel/flow/fair_gate.ts'
import { usedLately } from '../../../kernel/flow/tally.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { SCRIPT_LIMITS, type ScriptLimits } from './script_limits.ts'
import { NEVER_BEGUN, runThread, type ThreadEnd, type ThreadOptions } from './script_thread.ts'

interface ScriptRun extends Pick<ThreadOptions, 'source' | 'tools' | 'call' | 'signal'> {
  readonly userId: string
}

/** Scripts of one account, and of all accounts, that wait for a place on this server: 50 accounts at their worst. */
const WAITING = { account: 8, server: 1_000 } as const
/** The longest wait for a place. It leaves a script its own time within that of a tool call. */
const PATIENCE_MS = 40_000

export type Scripts = ReturnType<typeof openScripts>

export function openScripts({
  em,
  limits,
  ceilings,
  scriptLimits: others,
  patienceMs = PATIENCE_MS,
}: {
  readonly em: () => EntityManager
  readonly limits: Pick<Limits, 'charge' | 'spend'>
  readonly ceilings: Pick<Ceilings, 'scripts' | 'scripts_per_account'>
  /** Other numbers than those in force, for tests. */
  readonly scriptLimits?: Partial<ScriptLimits>
  readonly patienceMs?: number
}) {
  const scriptLimits: ScriptLimits = { ...SCRIPT_LIMITS, ...others }
  const busy = () =>
    refuse('overloaded', {
      detail: `too many scripts run or wait: an account may have ${ceilings.scripts_per_account} that run and ${WAITING.account} that wait`,
      // An account that used nothing lately gets a place before one that did.
      meta: { retry_after_ms: scriptLimits.wall_ms * Math.ceil(places.counts().keys / ceilings.scripts) },
    })
  const places = fairGate({
    total: ceilings.scripts,
    perKey: ceilings.scripts_per_account,
    waitingPerKey: WAITING.account,
    waiting: WAITING.server,
    full: busy,
    late: busy,
  })
  // Who has a place waits for one turn at most.
  const turns = fairGate({
    total: 1,
    perKey: 1,
    waitingPerKey: ceilings.scripts_per_account,
    waiting: ceilings.scripts,
    full: busy,
    late: busy,
  })
  const used = usedLately()
  let closed = false
  const ending = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  const go = async (script: ScriptRun): Promise<ThreadEnd> => {
    const signal = AbortSignal.any([script.signal, ending.signal])
    const account = budgetOf(script.userId)
    const charge = await account.charge()
    if (!charge.allowed) throw rateLimited(charge)
    const visit = { cost: () => used.by(script.userId) }
    const leave = await places.enter(script.userId, patienceMs, visit)
    try {
      if (closed) throw refuse('shutting_down')
      if (signal.aborted) return NEVER_BEGUN
      const offsetMs = (await databaseTime(em())) - performance.now()
      const end = await runThread({
        ...script,
        signal,
        limits: scriptLimits,
        now: () => offsetMs + performance.now(),
        used: account.used,
        turn: async (over) => {
          await account.refilled(over)
          return turns.enter(script.userId, undefined, visit)
        },
      })
      if (ending.signal.aborted) throw refuse('shutting_down')
      return end
    } finally {
      leave()
    }
  }

  /** The budget of an account, as one of its scripts spends it. A millisecond is paid before each turn. */
  const budgetOf = (userId: string) => {
    let paidMs = 0
    let notedMs = 0
    const charge = async () => {
      const charged = await limits.charge('script_cpu', userId)
      if (charged.allowed) paidMs += 1
      return charged
    }
    return {
      charge,
      refilled: async (over: AbortSignal): Promise<void> => {
        for (let charged = await charge(); !charged.allowed && !over.aborted; charged = await charge())
          await delay(charged.retryAfterMs, undefined, { signal: over }).catch(() => undefined)
      },
      used: (cpuMs: number): void => {
        used.note(userId, cpuMs - notedMs)
        notedMs = cpuMs
        if (cpuMs <= paidMs) return
        limits.spend('script_cpu', userId, cpuMs - paidMs)
        paidMs = cpuMs
      },
    }
  }

  return Object.freeze({
    /** @throws rate_limited, overloaded, shutting_down */
    run: async (script: ScriptRun): Promise<ThreadEnd> => {
      if (closed) throw refuse('shutting_down')
      const running = go(script)
      underWay.add(running)
      return running.finally(() => underWay.delete(running))
    },
    /** Refuses new scripts and those that wait for a place. Resolves when those that have one have ended. */
    close: async (): Promise<void> => {
      closed = true
      await Promise.allSettled(underWay)
    },
    /** Ends the scripts that have a place. */
    end: () => ending.abort(),
  })
}
