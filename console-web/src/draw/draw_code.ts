// Programs that repeat a draw elsewhere with nothing but the standard library, and the shell lines that fetch the
// beacon.
import { type DrawTerms, drawText } from './recipe.ts'

/** Reads the list from here. */
export const LIST_FILE = 'participants.txt'

/** Python 3. JSON writes text that is also a literal of Python. */
export const pythonCode = (terms: DrawTerms, beaconHash: string): string => `import hashlib

TERMS = ${literal(terms, beaconHash)}
N, K = ${terms.n}, ${terms.k}
${
  terms.list === null
    ? 'names = None'
    : `
lines = open("${LIST_FILE}", encoding="utf-8-sig", newline="").read().split("\\n")
names = [line.strip(" \\t\\r") for line in lines if line.strip(" \\t\\r")]
listed = hashlib.sha256("".join(name + "\\n" for name in names).encode("utf-8")).hexdigest()
assert len(names) == N and "\\nlist " + listed + "\\n" in TERMS, "this is another list"
`
}
seed = hashlib.sha256(TERMS.encode("utf-8")).digest()

def numbers():
    counter = 0
    while True:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at:at + 4], "big")
        counter += 1

stream = numbers()

def below(most):
    limit = 2**32 - 2**32 % most
    while True:
        number = next(stream)
        if number < limit:
            return number % most

places = list(range(1, N + 1))
for i in range(K):
    j = i + below(N - i)
    places[i], places[j] = places[j], places[i]
    print(places[i] if names is None else f"{places[i]} {names[places[i] - 1]}")
`

/** Node, as a file whose name ends in .mjs. */
export const nodeCode = (
  terms: DrawTerms,
  beaconHash: string,
): string => `import { createHash } from "node:crypto"
${terms.list === null ? '' : `import { readFileSync } from "node:fs"\n`}
const TERMS = ${literal(terms, beaconHash)}
const N = ${terms.n}
const K = ${terms.k}
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
${
  terms.list === null
    ? 'const names = null'
    : `
const names = readFileSync('${LIST_FILE}', 'utf8')
  .replace(/^\\uFEFF/, '')
  .split('\\n')
  .map((line) => line.replace(/^[ \\t\\r]+|[ \\t\\r]+$/g, ''))
  .filter((line) => line !== '')
const listed = sha256(names.map((name) => name + '\\n').join('')).toString('hex')
if (names.length !== N || !TERMS.includes('\\nlist ' + listed + '\\n')) throw new Error('this is another list')
`
}
const seed = sha256(TERMS)

function* numbers() {
  for (let counter = 0n; ; counter++) {
    const eight = Buffer.alloc(8)
    eight.writeBigUInt64BE(counter)
    const block = sha256(seed, eight)
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at)
  }
}

const stream = numbers()

const below = (most) => {
  const limit = 2 ** 32 - (2 ** 32 % most)
  for (;;) {
    const number = stream.next().value
    if (number < limit) return number % most
  }
}

const places = Array.from({ length: N }, (_, index) => index + 1)
for (let i = 0; i < K; i++) {
  const j = i + below(N - i)
  ;[places[i], places[j]] = [places[j], places[i]]
  console.log(names === null ? places[i] : \`\${places[i]} \${names[places[i] - 1]}\`)
}
`

/** Asks this service for the beacon. `at` is the fixed time, null when the beacon itself was chosen. */
export const shellCode = (origin: string, at: string | null, beaconHash: string | null): string =>
  at === null
    ? `curl -s -H "Authorization: Bearer $PHAROS_KEY" \\
  ${origin}/api/json/beacons/by-hash/${beaconHash ?? '<hash>'}
`
    : `# The first block at or after the time; its block_hash is the hash of the beacon.
curl -s -G -H "Authorization: Bearer $PHAROS_KEY" ${origin}/api/json/blocks \\
  --data-urlencode 'filter[finalized_at][gte]=${at}' \\
  -d sort=finalized_at -d 'page[limit]=1'
`

const literal = (terms: DrawTerms, beaconHash: string): string => JSON.stringify(drawText(terms, beaconHash))
