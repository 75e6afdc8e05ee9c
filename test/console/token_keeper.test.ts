// The tokens of a sign-in in the console: renewed in time, once at a time, and repeated once after a 401.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { sendWith } from '../../console-web/src/data/credential.ts'
import { signInOver, TokenKeeper, type Tokens } from '../../console-web/src/session/token_keeper.ts'

const LIFETIME_MS = 900_000

const tokens = (n: number): Tokens => ({
  accessToken: `access_${n}`,
  refreshToken: `refresh_${n}`,
  lifetimeMs: LIFETIME_MS,
})

let asked: string[]
let answer: () => Promise<Tokens>
let online: boolean
let ended: number
let renewed: number
let keeper: TokenKeeper

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  answer = async () => tokens(asked.length)
  online = true
  ended = 0
  renewed = 0
  const refresh = (refreshToken: string) => {
    asked.push(refreshToken)
    return answer()
  }
  const onEnded = () => {
    ended += 1
  }
  const ports = { refresh, ended: onEnded, online: () => online, random: () => 0.5 }
  keeper = new TokenKeeper(ports, tokens(0))
  keeper.follow(() => {
    renewed += 1
  })
})
afterEach(() => {
  keeper.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const unreachable = async (): Promise<never> => {
  throw new ApiFailure('unreachable', 'The server cannot be reached.')
}

describe('the tokens of a sign-in', () => {
  it('are renewed before they expire, each time with the newest refresh token', async () => {
    await pass(LIFETIME_MS * 0.69)
    expect([asked, renewed]).toEqual([[], 0])
    await pass(LIFETIME_MS * 0.12)
    expect([asked, renewed]).toEqual([['refresh_0'], 1])
    expect(await keeper.token()).toBe('access_1')
    await pass(LIFETIME_MS)
    expect(asked).toEqual(['refresh_0', 'refresh_1'])
  })

  it('are renewed once for all who need a new one at the same time', async () => {
    vi.setSystemTime(Date.now() + LIFETIME_MS)
    const all = [keeper.token(), keeper.token(), keeper.another('access_0'), keeper.token()]
    expect(await Promise.all(all)).toEqual(Array(4).fill('access_1'))
    expect(asked).toEqual(['refresh_0'])
    // Another answer of 401 that was on its way with the old token.
    expect(await keeper.another('access_0')).toBe('access_1')
    expect(asked).toHaveLength(1)
  })

  it('are tried again after a failure, and the token that there is stays in use meanwhile', async () => {
    answer = unreachable
    await pass(LIFETIME_MS * 0.75)
    expect(asked).toHaveLength(1)
    expect(await keeper.token()).toBe('access_0')
    answer = async () => tokens(7)
    await pass(1_000)
    expect(await keeper.token()).toBe('access_7')
    expect([asked, ended]).toEqual([['refresh_0', 'refresh_0'], 0])
  })

  it('wait for the network, and are renewed when it returns', async () => {
    online = false
    await pass(LIFETIME_MS * 2)
    expect(asked).toEqual([])
    online = true
    keeper.wake()
    await pass(0)
    expect(asked).toEqual(['refresh_0'])
    keeper.wake()
    await pass(0)
    expect(asked).toHaveLength(1)
  })

  it('end once, when the service does not renew them any more', async () => {
    answer = async () => {
      throw signInOver()
    }
    const both = [keeper.another('access_0'), keeper.another('access_0')]
    expect(await Promise.all(both)).toEqual([null, null])
    await expect(keeper.token()).rejects.toMatchObject({ kind: 'unauthorized' })
    await pass(LIFETIME_MS)
    expect([asked, ended]).toEqual([['refresh_0'], 1])
  })

  it('do not come back after a sign-out that a renewal overlaps', async () => {
    const renewal = keeper.another('access_0')
    keeper.stop()
    expect(await renewal).toBeNull()
    expect([renewed, ended]).toEqual([0, 0])
    await expect(keeper.token()).rejects.toMatchObject({ kind: 'unauthorized' })
  })
})

describe('a request that gets 401', () => {
  const statuses: Record<string, number> = { access_1: 200 }
  const sent: string[] = []
  const send = async (token: string) => {
    sent.push(token)
    return new Response(null, { status: statuses[token] ?? 401 })
  }
  beforeEach(() => {
    sent.length = 0
  })

  it('is repeated once with a new token', async () => {
    expect((await sendWith(keeper, send)).status).toBe(200)
    expect(sent).toEqual(['access_0', 'access_1'])
  })

  it('is not repeated a second time', async () => {
    answer = async () => tokens(2)
    expect((await sendWith(keeper, send)).status).toBe(401)
    expect(sent).toEqual(['access_0', 'access_2'])
  })

  it('fails as unreachable when nobody can say whether the sign-in stands', async () => {
    answer = unreachable
    await expect(sendWith(keeper, send)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(sent).toEqual(['access_0'])
  })
})
