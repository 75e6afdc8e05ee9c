// A hash in groups of eight without characters between them, so that selecting and copying gives only the hash.

export const HashGroups = ({ hash }: { hash: string }) =>
  Array.from({ length: hash.length / GROUP }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
    <span key={at}>{hash.slice(at * GROUP, (at + 1) * GROUP)}</span>
  ))

const GROUP = 8
