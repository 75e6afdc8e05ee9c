// A link as a QR code. Loaded when it is shown. Black on white in every theme, because cameras expect that.
import { useMemo } from 'react'
import { encode } from 'uqr'

/** Modules of white around the code, as its standard asks. */
const QUIET = 4

export const QrCode = ({ text }: { text: string }) => {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label="QR code of the link"
      data-testid="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

const drawn = (text: string): { readonly size: number; readonly path: string } => {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size, path }
}
