// What the picture shows, in a few words. It can be put away; this browser remembers that.
import { useState } from 'react'
import { keep, kept } from '../data/kept/browser_storage.ts'

const NAME = 'pharos.picture.legend'

export const useLegend = (): { readonly isShown: boolean; readonly toggle: () => void } => {
  const [isShown, setShown] = useState(isWanted)
  return {
    isShown,
    toggle: () => {
      keep('device', NAME, isShown ? 'away' : 'shown')
      setShown(!isShown)
    },
  }
}

/** On a small screen it is shown when it is asked for, because it would take the place of everything else. */
const isWanted = (): boolean =>
  (kept('device', NAME) ??
    (window.matchMedia('(max-width: 700px), (max-height: 700px)').matches ? 'away' : 'shown')) !== 'away'

type LegendProps = { readonly hasAbsence: boolean; readonly hasOwn: boolean }

export const Legend = ({ hasAbsence, hasOwn }: LegendProps) => (
  <ul className="picture-legend" data-testid="legend">
    <li>A tile is a block: as wide as the time it took, as high as its items.</li>
    <li>
      <i className="tile" data-committed="false" /> finalized
    </li>
    <li>
      <i className="tile" data-committed="true" /> committed: its epoch’s transaction is confirmed
    </li>
    <li>
      <i className="bracket" data-state="confirmed" /> epoch, open until then
    </li>
    <li>
      <i className="tile-gap" /> no block was made
    </li>
    {hasOwn && (
      <li>
        <i className="flag" /> your items
      </li>
    )}
    {hasAbsence && (
      <li>
        <i className="absence" /> this page was offline
      </li>
    )}
  </ul>
)
