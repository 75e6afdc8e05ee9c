// Admits scripts: one of an account on all servers, one on this server, within the account's budget of processor time.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rateLimited } from '../../../domain/limits/charge.ts'
import type { Limits } from '../../../domain/limits/limits.ts'
import { type ScriptTurn, takeScriptTurn } from '../../../domain/limits/script_turn.ts'
import { fairGate, type Leave } from '../../../kernel/fair_gate.ts'
import type { Log } from '../../../kernel/log.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { SCRIPT_LIMITS, type ScriptLimits } from './script_limits.ts'
import { NEVER_BEGUN, runThread, type ThreadEnd, type ThreadOptions } from './script_thread.ts'

export interface ScriptRun extends Pick<ThreadOptions, 'source' | 'tools' | 'call' | 'signal'> {
  readonly userId: string
}

export interface Scripts {
  /** @throws rate_limited, overloaded, shutting_down */
  readonly run: (script: ScriptRun) => Promise<ThreadEnd>
  /** Refuses new scripts and those that wait for their turn. Resolves when those that run have ended. */
  readonly close: () => Promise<void>
  /** Ends the scripts that run. */
  readonly end: () => void
}

export interface ScriptsOptions {
  readonly em: () => EntityManager
  readonly limits: Pick<Limits, 'charge' | 'giveBack'>
  readonly log: Log
  /** Other numbers than those in force, for tests. */
  readonly scriptLimits?: Partial<ScriptLimits>
  readonly patienceMs?: number
}

/** Scripts of one account, and of all accounts, that wait for their turn on this server. */
const WAITING = { account: 4, server: 32 } as const
/** The longest wait for a turn. */
const PATIENCE_MS = 20_000
/** How often the account’s turn on another server is looked at. */
const LOOK_MS = 250
/** Added to the time of a script: a server that is gone keeps its account waiting for no longer. */
const SLACK_MS = 5_000

interface Admitted {
  readonly turn: ScriptTurn
  readonly leave: Leave
}

export function openScripts(options: ScriptsOptions): Scripts {
  const { em, limits, log, patienceMs = PATIENCE_MS } = options
  const scriptLimits: ScriptLimits = { ...SCRIPT_LIMITS, ...options.scriptLimits }
  const busy = () => refuse('overloaded', { detail: 'too many scripts wait for their turn' })
  const gate = fairGate({
    total: 1,
    perKey: 1,
    waitingPerKey: WAITING.account,
    waiting: WAITING.server,
    full: busy,
    late: busy,
  })
  let closed = false
  const ending = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  const go = async (script: ScriptRun): Promise<ThreadEnd> => {
    const signal = AbortSignal.any([script.signal, ending.signal])
    const charge = await limits.charge('script_cpu', script.userId, scriptLimits.cpu_ms)
    if (!charge.allowed) throw rateLimited(charge)
    const reserved = Math.min(scriptLimits.cpu_ms, charge.limit)
    let usedMs = 0
    try {
      const admitted = await admit(script.userId, signal)
      if (admitted === undefined) return NEVER_BEGUN
      const { leave, turn } = admitted
      try {
        const end = await runThread({
          ...script,
          signal,
          startedAtMs: turn.takenAtMs,
          limits: scriptLimits,
        })
        usedMs = Math.max(1, end.startCpuMs + end.cpuMs)
        if (ending.signal.aborted) throw refuse('shutting_down')
        return end
      } finally {
        // The turn ends by itself when the database does not answer.
        await turn.end().catch((err: unknown) => log.warn({ err }, 'scripts.turn_not_ended'))
        leave()
      }
    } finally {
      if (usedMs < reserved) limits.giveBack('script_cpu', script.userId, reserved - usedMs)
    }
  }

  /**
   * While the account's turn is held elsewhere, this server is left to others.
   * @returns undefined when nobody waits for the script any more
   */
  const admit = async (userId: string, signal: AbortSignal): Promise<Admitted | undefined> => {
    const until = performance.now() + patienceMs
    for (;;) {
      const leave = await gate.enter(userId, Math.max(0, until - performance.now()))
      let turn: ScriptTurn | undefined
      let restMs = 0
      try {
        if (closed) throw refuse('shutting_down')
        if (signal.aborted) return undefined
        turn = await takeScriptTurn({ em }, userId, scriptLimits.wall_ms + SLACK_MS)
        if (turn !== undefined) return { turn, leave }
        restMs = LOOK_MS
      } finally {
        if (turn === undefined) leave(restMs)
      }
    }
  }

  return Object.freeze({
    run: (script: ScriptRun) => {
      if (closed) return Promise.reject(refuse('shutting_down'))
      const running = go(script)
      const settled = running
        .catch(() => undefined)
        .finally(() => {
          underWay.delete(settled)
        })
      underWay.add(settled)
      return running
    },
    close: async () => {
      closed = true
      await Promise.all(underWay)
    },
    end: () => ending.abort(),
  })
}
