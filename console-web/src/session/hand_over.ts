// Signs in a new tab with the key of a tab that is open: the key stands in no address and on no disk. Only
// pages of this origin in this browser can hear the channel (HTML, section 9.5), and they could read the key anyway.
import { isJsonObject, numberAt, textAt } from '../data/shape.ts'

const NAME = 'pharos.key'
/** Every tab with a key answers at once, but a busy machine is slow. */
const ANSWER_WITHIN_MS = 1_500
/** Where the browser cannot say whether there is such a tab, nobody shall wait for long. */
const UNKNOWN_WITHIN_MS = 250

export type HandOver = ReturnType<typeof openHandOver>

/** Of this browser and this tab, where they are not given. */
type HandOverPorts = {
  /** A channel hears everything that others post, but not its own posts. */
  readonly channel?: () => BroadcastChannel
  /** Null where the browser has none, such as on a page over plain http. */
  readonly locks?: Pick<LockManager, 'request' | 'query'> | null
  /** When the person has last done something in this tab. */
  readonly usedAt?: () => number
  /** Another tab with the same key signs out. */
  readonly ended: () => void
}

export const openHandOver = ({
  channel = () => new BroadcastChannel(NAME),
  locks = navigator.locks ?? null,
  usedAt = watchUse(),
  ended,
}: HandOverPorts) => {
  let offered: string | null = null
  /** Gives back the lock that says that this tab has a key. */
  let release: (() => void) | null = null
  const line = channel()
  line.onmessage = ({ data }: MessageEvent<unknown>): void => {
    if (offered === null) return
    const asks = textAt(data, 'asks')
    if (asks !== null) line.postMessage({ answers: asks, key: offered, usedAt: usedAt() })
    else if (textAt(data, 'ends') === offered) ended()
  }
  return {
    /** A tab signs in with the key from now on, when it asks. Replaces the key from before; null ends it. */
    offer: (key: string | null): void => {
      offered = key
      if (key === null) {
        release?.()
        release = null
      } else if (release === null && locks !== null) {
        const held = Promise.withResolvers<void>()
        release = held.resolve
        void locks.request(NAME, { mode: 'shared' }, () => held.promise).catch(() => undefined)
      }
    },
    /** The key of the tab that was used last. Null when no tab has one. */
    ask: async (): Promise<string | null> => {
      const tabs = await keyTabs(locks)
      return tabs === 0 ? null : askTabs(channel(), tabs)
    },
    /** Tells the other tabs with this key that the person signs out. */
    end: (key: string): void => line.postMessage({ ends: key }),
  }
}

/** The number of tabs with a key. Null when the browser cannot say. */
const keyTabs = async (locks: HandOverPorts['locks']): Promise<number | null> => {
  const state = await locks?.query().catch(() => undefined)
  return state?.held?.filter(({ name }) => name === NAME).length ?? null
}

/** Ends when all have answered, so that the tab that was used last is among them. */
const askTabs = (line: BroadcastChannel, tabs: number | null): Promise<string | null> =>
  new Promise((resolve) => {
    const question = crypto.randomUUID?.() ?? String(Math.random())
    let answers = 0
    let best: { readonly key: string; readonly usedAt: number } | null = null
    const done = (): void => {
      clearTimeout(timer)
      line.close()
      resolve(best?.key ?? null)
    }
    const timer = setTimeout(done, tabs === null ? UNKNOWN_WITHIN_MS : ANSWER_WITHIN_MS)
    line.onmessage = ({ data }: MessageEvent<unknown>): void => {
      const key = textAt(data, 'key')
      if (!isJsonObject(data) || data.answers !== question || key === null) return
      const usedAt = numberAt(data, 'usedAt') ?? 0
      if (best === null || usedAt > best.usedAt) best = { key, usedAt }
      answers += 1
      if (answers === tabs) done()
    }
    line.postMessage({ asks: question })
  })

/** The time of the last press of a key or a button in this tab. */
const watchUse = (): (() => number) => {
  let usedAt = document.hasFocus() ? Date.now() : 0
  const used = (): void => {
    usedAt = Date.now()
  }
  for (const event of ['pointerdown', 'keydown', 'focus'])
    window.addEventListener(event, used, { capture: true, passive: true })
  return () => usedAt
}
