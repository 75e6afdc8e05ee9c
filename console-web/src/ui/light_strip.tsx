// Shows a hash as 32 bars, one per byte. Not for verification; it only helps to tell two hashes apart at a
// glance.
import { memo } from 'react'

const BAR = 2
const STEP = 3
const HEIGHT = 20

export const LightStrip = memo(
  ({ hash, className = 'light-strip' }: { hash: string; className?: string }) => (
    <svg
      className={className}
      viewBox={`0 0 ${32 * STEP - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={barsOf(hash)} />
    </svg>
  ),
)
LightStrip.displayName = 'LightStrip'

const barsOf = (hash: string): string => {
  let path = ''
  for (let index = 0; index < 32; index += 1) {
    const byte = Number.parseInt(hash.slice(2 * index, 2 * index + 2), 16)
    const height = Math.round(2 + (byte / 255) * (HEIGHT - 2))
    path += `M${index * STEP} ${(HEIGHT - height) / 2}h${BAR}v${height}h-${BAR}z`
  }
  return path
}
