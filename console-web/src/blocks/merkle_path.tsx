// A Merkle path as a drawing and as steps, each with the hash that was computed here.
import './blocks.css'
import { bytesEqual, fromHex, toHex } from '../../../shared/proof/bytes.ts'
import { leafHash, nodeHash, type PathStep } from '../../../shared/proof/merkle.ts'
import { plural } from '../ui/format.ts'
import { Differs, stepMark } from '../ui/step.tsx'

/**
 * The way from one leaf up to the root of its block, recomputed step by step.
 * @param value item hash or observation hash, 64 hex
 */
export const walkUp = (value: string, path: readonly PathStep[], root: string) => {
  const leaf = leafHash(fromHex(value))
  let hash = leaf
  /** From the leaf up. The parent is the hash of both: `D(0x01, left ‖ right)`. */
  const levels = path.map(({ side, hash: sibling }) => {
    hash = side === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    return { side, sibling: toHex(sibling), parent: toHex(hash) }
  })
  return {
    /** Hash of the leaf: `D(0x00, value)`. */
    leaf: toHex(leaf),
    levels,
    /** What the path leads to, and what the block has. */
    computed: toHex(hash),
    expected: root,
    ok: bytesEqual(hash, fromHex(root)),
  }
}

type MerklePathProps = {
  readonly walk: ReturnType<typeof walkUp>
  /** What is hashed into the leaf. */
  readonly value: string
  /** Where the siblings come from. */
  readonly source: string
}

export const MerklePath = ({ walk, value, source }: MerklePathProps) => (
  <div className="pair merkle-path">
    <Drawing walk={walk} />
    <div>
      <p className="card-note">
        {walk.levels.length === 0
          ? 'The block has one leaf, which is the root itself.'
          : `${plural(walk.levels.length, 'step')}. ${source}`}
      </p>
      <ol className="timeline">
        <li {...stepMark(true)}>
          <h3>Leaf</h3>
          <p className="note">
            D(0x00, <code>{value.slice(0, 8)}…</code>)
          </p>
          <code>{walk.leaf}</code>
        </li>
        {walk.levels.map(({ side, sibling, parent }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a level is its place
          <li key={index} {...stepMark(true)}>
            <h3>Level {index + 1}</h3>
            <p className="note">
              {side === 'left' ? 'D(0x01, sibling ‖ below)' : 'D(0x01, below ‖ sibling)'}, the sibling on the{' '}
              {side} is <code>{sibling}</code>
            </p>
            <code>{parent}</code>
          </li>
        ))}
        <li {...stepMark(walk.ok)} data-testid="path-root">
          <h3>Root</h3>
          <p className="note">
            {walk.ok ? 'is the merkle_root of the block' : 'is not the merkle_root of the block'}
          </p>
          {walk.ok ? (
            <code>{walk.computed}</code>
          ) : (
            <Differs values={{ block: walk.expected, here: walk.computed }} />
          )}
        </li>
      </ol>
    </div>
  </div>
)

const WIDTH = 240
const STEP = 46
const TOP = 26
/** Where the way goes when its sibling stands on the other side. */
const LEFT = 88
const RIGHT = 152

/** The root above, the leaf below. The steps beside it say the same in words. */
const Drawing = ({ walk: { leaf, levels, ok, computed } }: Pick<MerklePathProps, 'walk'>) => {
  const height = TOP + STEP * levels.length + 30
  const yOf = (level: number): number => TOP + STEP * (levels.length - level)
  const xOf = (level: number): number => {
    const side = levels[level]?.side
    return side === undefined ? WIDTH / 2 : side === 'right' ? LEFT : RIGHT
  }
  return (
    <svg
      className="path-drawing"
      viewBox={`0 0 ${WIDTH} ${height}`}
      data-ok={ok}
      aria-hidden="true"
      focusable="false"
    >
      {levels.map(({ side, sibling, parent }, level) => {
        const [x, y, other] = [xOf(level), yOf(level), side === 'right' ? RIGHT : LEFT]
        const [upX, upY] = [xOf(level + 1), yOf(level + 1)]
        const below = levels[level - 1]?.parent ?? leaf
        return (
          <g key={parent}>
            <path className="path-side" d={`M${other} ${y}L${upX} ${upY}`} />
            <path className="path-way" d={`M${x} ${y}L${upX} ${upY}`} />
            <circle className="path-sibling" cx={other} cy={y} r={6} />
            <Label x={other} y={y} text={sibling.slice(0, 6)} />
            <circle className="path-node" cx={x} cy={y} r={6} />
            <Label x={x} y={y} text={`${level === 0 ? 'leaf ' : ''}${below.slice(0, 6)}`} />
          </g>
        )
      })}
      <circle className="path-root" cx={WIDTH / 2} cy={TOP} r={8} />
      <text x={WIDTH / 2} y={TOP - 13} textAnchor="middle">
        root {computed.slice(0, 6)}
      </text>
    </svg>
  )
}

/** Outside of the way, so that no line crosses it. */
const Label = ({ x, y, text }: { x: number; y: number; text: string }) => (
  <text x={x === LEFT ? x - 13 : x + 13} y={y + 4} textAnchor={x === LEFT ? 'end' : 'start'}>
    {text}
  </text>
)
