// The return from the sign-in pages: each trip counts once, and leads back to this origin only.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepTrip, takeReturn } from '../../console-web/src/session/sign_in_trip.ts'

const ORIGIN = 'https://pharos.example'

let held: Map<string, string>
let shown: string | null

beforeEach(() => {
  held = new Map()
  shown = null
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, text: string) => held.set(name, text),
    removeItem: (name: string) => held.delete(name),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const leave = (returnTo: string) => keepTrip({ state: 'the state', verifier: 'the verifier', returnTo })

const comeBackTo = (path: string): ReturnType<typeof takeReturn> => {
  const { pathname, search, origin } = new URL(path, ORIGIN)
  const replaceState: History['replaceState'] = (_state, _title, url) => {
    shown = String(url)
  }
  return takeReturn({ pathname, search, origin }, { replaceState })
}

describe('a return from the sign-in pages', () => {
  it('shows the page from before, and has the answer once', () => {
    leave('/items?page=2#here')
    const back = comeBackTo('/signed-in?code=c&state=s')
    expect(shown).toBe('/items?page=2#here')
    expect(back).toMatchObject({ trip: { state: 'the state', verifier: 'the verifier' } })
    expect([held.size, comeBackTo('/signed-in?code=c&state=s'), shown]).toEqual([0, 'stray', '/'])
  })

  it.each([
    'https://evil.example/x',
    '//evil.example/x',
    '/\\evil.example',
    'javascript:alert(1)',
    'http://[',
  ])('never leads to %s', (returnTo) => {
    leave(returnTo)
    comeBackTo('/signed-in?code=c')
    expect(shown).toBe('/')
  })

  it.each(['', 'null', '[]', '{"state":1}', '{"state":"s","verifier":"v"}', '{'])(
    'is none with %j in the storage',
    (text) => {
      leave('/')
      for (const name of held.keys()) held.set(name, text)
      expect([comeBackTo('/signed-in?code=c'), held.size]).toEqual(['stray', 0])
    },
  )

  it('is none at any other address', () => {
    leave('/')
    expect([comeBackTo('/?code=c&state=s'), shown, held.size]).toEqual([null, null, 1])
  })
})
