// Which page an address names, and how times are written.
import { describe, expect, it } from 'vitest'
import { isKeyText } from '../../console-web/src/session/api_key.ts'
import { clockface, duration } from '../../console-web/src/ui/format.ts'
import { routePattern } from '../../shared/wire/console_routes.ts'

const patterns = ['/', '/beacons/:hash', '/verify'] as const

describe('a pattern', () => {
  const named = (path: string) => patterns.filter((pattern) => routePattern(pattern).test(path))
  it('names an address with or without a slash at the end', () => {
    expect(named('/')).toEqual(['/'])
    expect(named('/beacons/abc')).toEqual(['/beacons/:hash'])
    expect(named('/beacons/abc/')).toEqual(['/beacons/:hash'])
  })
  it('names nothing longer, shorter or in other letters', () => {
    for (const path of ['/beacons', '/beacons/a/b', '/Verify', '/nothing', '/verify/more'])
      expect(named(path)).toEqual([])
  })
  it('names the parameters of an address, a broken escape as it stands', () => {
    const pattern = routePattern('/beacons/:hash')
    expect(pattern.exec('/beacons/abc/')?.groups).toEqual({ hash: 'abc' })
    expect(pattern.exec('/beacons/%zz')?.groups).toEqual({ hash: '%zz' })
    expect(pattern.exec('/beacons/abc/more')).toBeNull()
  })
})

describe('durations', () => {
  it('are written in two units', () => {
    expect([0, 59_999, 65_000, 7_800_000, 176_400_000].map(duration)).toEqual([
      '0 s',
      '59 s',
      '1 min 05 s',
      '2 h 10 min',
      '2 d 1 h',
    ])
  })
  it('a countdown shows zero only when it is due', () => {
    expect([0, 1, 42_000, 60_000, 3_723_000].map(clockface)).toEqual([
      '0:00',
      '0:01',
      '0:42',
      '1:00',
      '1:02:03',
    ])
  })
})

describe('isKeyText', () => {
  it('takes what a header can carry', () => {
    expect(isKeyText(`phk_${'a'.repeat(49)}`)).toBe(true)
    for (const text of ['', 'two words', 'schlüssel', 'a\nb']) expect(isKeyText(text)).toBe(false)
  })
})
