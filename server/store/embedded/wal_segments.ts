// Names of files of the write-ahead log: `<timeline><4 GiB part><segment>`, eight hex digits each.
import { readdir } from 'node:fs/promises'

/** The segments that hold the log from `first` up to `last`, which is the position after the last byte. */
export function segmentNames({
  first,
  last,
  timeline,
  segmentBytes,
}: {
  /** Positions such as `0/2000028`. */
  readonly first: string
  readonly last: string
  /** Eight hex digits. */
  readonly timeline: string
  readonly segmentBytes: bigint
}): string[] {
  const inPart = 0x1_0000_0000n / segmentBytes
  const names: string[] = []
  for (
    let segment = bytesOf(first) / segmentBytes;
    segment <= (bytesOf(last) - 1n) / segmentBytes;
    segment += 1n
  )
    names.push(`${timeline}${hex(segment / inPart)}${hex(segment % inPart)}`)
  return names
}

/** The histories of timelines, which PostgreSQL reads after a promotion. */
export const historyFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^[0-9A-F]{8}\.history$/.test(name))

const bytesOf = (position: string): bigint => {
  const [part = '', offset = ''] = position.split('/')
  return (BigInt(`0x${part}`) << 32n) + BigInt(`0x${offset}`)
}

const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0')
