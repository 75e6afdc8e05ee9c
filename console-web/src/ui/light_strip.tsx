// Shows a hash as 32 bars, one per byte. Not for verification; it only helps to tell two hashes apart at a
// glance.
const BAR = 2
const STEP = 3
const HEIGHT = 20

export const LightStrip = ({ hash, className = 'light-strip' }: { hash: string; className?: string }) => (
  <svg
    className={className}
    viewBox={`0 0 ${32 * STEP - 1} ${HEIGHT}`}
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <path d={hash.match(/../g)?.map(barOf).join('')} />
  </svg>
)

const barOf = (byte: string, index: number): string => {
  const height = Math.round(2 + (Number.parseInt(byte, 16) / 255) * (HEIGHT - 2))
  return `M${index * STEP} ${(HEIGHT - height) / 2}h${BAR}v${height}h-${BAR}z`
}
