// The special-purpose registries a second time, written as numbers, so that a slip in one of the two shows.

/** Address of four numbers. */
const v4 = (a: number, b: number, c: number, d: number): bigint =>
  BigInt(a) * 2n ** 24n + BigInt(b) * 2n ** 16n + BigInt(c) * 2n ** 8n + BigInt(d)

/** Address of leading 16-bit groups; the rest is zero. */
const v6 = (...groups: number[]): bigint =>
  groups.reduce((sum, group, index) => sum + BigInt(group) * 2n ** BigInt(112 - 16 * index), 0n)

type Row = readonly [first: bigint, length: number, reachable: boolean]

export const REGISTRIES: Readonly<Record<32 | 128, readonly Row[]>> = {
  32: [
    [v4(0, 0, 0, 0), 8, false],
    [v4(10, 0, 0, 0), 8, false],
    [v4(100, 64, 0, 0), 10, false],
    [v4(127, 0, 0, 0), 8, false],
    [v4(169, 254, 0, 0), 16, false],
    [v4(172, 16, 0, 0), 12, false],
    [v4(192, 0, 0, 0), 24, false],
    [v4(192, 0, 0, 9), 32, true],
    [v4(192, 0, 0, 10), 32, true],
    [v4(192, 0, 2, 0), 24, false],
    [v4(192, 31, 196, 0), 24, true],
    [v4(192, 52, 193, 0), 24, true],
    [v4(192, 88, 99, 0), 24, false],
    [v4(192, 168, 0, 0), 16, false],
    [v4(192, 175, 48, 0), 24, true],
    [v4(198, 18, 0, 0), 15, false],
    [v4(198, 51, 100, 0), 24, false],
    [v4(203, 0, 113, 0), 24, false],
    [v4(224, 0, 0, 0), 4, false],
    [v4(240, 0, 0, 0), 4, false],
    [v4(255, 255, 255, 255), 32, false],
  ],
  128: [
    [v6(0), 0, false],
    [v6(0x2000), 3, true],
    [v6(0, 0, 0, 0, 0, 0, 0, 1), 128, false],
    [v6(0x64, 0xff9b, 1), 48, false],
    [v6(0x100), 64, false],
    [v6(0x100, 0, 0, 1), 64, false],
    [v6(0x2001), 23, false],
    [v6(0x2001), 32, false],
    [v6(0x2001, 1, 0, 0, 0, 0, 0, 1), 128, true],
    [v6(0x2001, 1, 0, 0, 0, 0, 0, 2), 128, true],
    [v6(0x2001, 1, 0, 0, 0, 0, 0, 3), 128, true],
    [v6(0x2001, 2), 48, false],
    [v6(0x2001, 3), 32, true],
    [v6(0x2001, 4, 0x112), 48, true],
    [v6(0x2001, 0x10), 28, false],
    [v6(0x2001, 0x20), 28, true],
    [v6(0x2001, 0x30), 28, true],
    [v6(0x2001, 0xdb8), 32, false],
    [v6(0x2002), 16, false],
    [v6(0x2620, 0x4f, 0x8000), 48, true],
    [v6(0x3fff), 20, false],
    [v6(0x5f00), 16, false],
    [v6(0xfc00), 7, false],
    [v6(0xfe80), 10, false],
    [v6(0xff00), 8, false],
  ],
}

/** As `net.isIP` reads it; IPv6 with all its groups written out. */
export const textOf = (bits: 32 | 128, value: bigint): string =>
  bits === 32
    ? [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.')
    : [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n]
        .map((group) => ((value >> (16n * group)) & 0xffffn).toString(16))
        .join(':')
