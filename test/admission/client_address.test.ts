import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../server/admission/client_address.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'

const request = (remoteAddress: string | undefined, forwarded?: string | string[]) => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
})

const behind = clientAddress(addressRanges('10.0.0.0/8, 2001:db8:ffff::/48 192.0.2.1'))

describe('without trusted proxies', () => {
  it('X-Forwarded-For is nobody: the socket decides', () => {
    const direct = clientAddress(addressRanges(''))
    expect(direct(request('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7')
    expect(direct(request('::ffff:127.0.0.1', '198.51.100.1'))).toBe('127.0.0.1')
    expect(direct(request(undefined, '198.51.100.1'))).toBe('unknown')
  })
})

describe('behind trusted proxies', () => {
  it.each([
    ['what the proxy saw', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['through two of them', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    [
      'what a client made up to the left is not looked at',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['nor when it looks like a proxy', '10.0.0.1', '1.1.1.1, 10.0.0.5, 198.51.100.1', '198.51.100.1'],
    ['IPv6', '2001:db8:ffff::1', '2001:db8::7', '2001:db8::7'],
    ['a mapped proxy is the IPv4 one', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a mapped client too', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['a port of IPv6', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['brackets alone', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['a zone', '10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['a single trusted address', '192.0.2.1', '198.51.100.1', '198.51.100.1'],
    ['its neighbour', '192.0.2.2', '198.51.100.1', '192.0.2.2'],
    ['everybody is a proxy: the leftmost', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
  ])('%s', (_, socket, forwarded, client) => {
    expect(behind(request(socket, forwarded))).toBe(client)
  })

  it.each([
    ['nothing', undefined, '10.0.0.1'],
    ['an empty field', '', '10.0.0.1'],
    ['an empty entry', '198.51.100.1,', '10.0.0.1'],
    ['a word', 'unknown', '10.0.0.1'],
    ['a name', 'client.example', '10.0.0.1'],
    ['octal numbers', '010.0.0.1', '10.0.0.1'],
    ['a number', '3405803783', '10.0.0.1'],
    ['a malformed entry behind a proxy', '198.51.100.1, nonsense, 10.0.0.2', '10.0.0.2'],
    ['an address and something', '198.51.100.1 evil', '10.0.0.1'],
    ['an open bracket', '[2001:db8::7', '10.0.0.1'],
  ])('falls back to the last proxy that can be believed: %s', (_, forwarded, client) => {
    expect(behind(request('10.0.0.1', forwarded))).toBe(client)
  })

  it('reads fields that came in several lines as one list', () => {
    expect(behind(request('10.0.0.1', ['1.1.1.1', '198.51.100.1, 10.0.0.2']))).toBe('198.51.100.1')
  })

  it('whatever a client writes, it is never taken for somebody else', () => {
    const noise = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.0.0.1'))
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 8 }), (made) => {
        // The proxy appends who connected to it.
        expect(behind(request('10.0.0.1', [...made, '198.51.100.1'].join(', ')))).toBe('198.51.100.1')
        expect(behind(request('198.51.100.1', made.join(', ')))).toBe('198.51.100.1')
      }),
    )
  })
})

describe('the list of trusted proxies', () => {
  it.each([
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0/8',
    'proxy.example',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '/8',
    '10.0.0.1/',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0/64',
  ])('refuses %s', (text) => {
    expect(() => addressRanges(`10.1.1.1, ${text}`)).toThrow(RangeError)
  })

  it('takes mapped blocks as IPv4', () => {
    const mapped = clientAddress(addressRanges('::ffff:10.0.0.0/104'))
    expect(mapped(request('10.255.0.1', '198.51.100.1'))).toBe('198.51.100.1')
    expect(mapped(request('11.0.0.1', '198.51.100.1'))).toBe('11.0.0.1')
  })

  it('IPv6 blocks do not cover IPv4', () => {
    expect(clientAddress(addressRanges('::/0'))(request('10.0.0.1', '198.51.100.1'))).toBe('10.0.0.1')
  })
})
