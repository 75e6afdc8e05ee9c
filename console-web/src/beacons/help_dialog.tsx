// The keyboard keys of the beacon list, and the meaning of its marks.
import './beacons.css'
import { type KeyHelp, KeysDialog } from '../ui/keys_dialog.tsx'

const keys: readonly KeyHelp[] = [
  [['j', '↓'], 'older beacon'],
  [['k', '↑'], 'newer beacon'],
  [['Enter'], 'open the beacon'],
  [['Esc'], 'close'],
  [['p'], 'pause and go on'],
  [['c'], 'copy the hash'],
  [['?'], 'this help'],
]

export const HelpDialog = ({ onClose }: { onClose: () => void }) => (
  <KeysDialog keys={keys} onClose={onClose}>
    <h3>What the marks mean</h3>
    <ul className="legend">
      <li data-state="proven">proven: linked, and the block hash recomputed in this browser</li>
      <li data-state="linked">linked: fits its predecessor; recomputation still to come</li>
      <li data-state="broken">broken: does not fit. Keep a copy, and tell someone</li>
    </ul>
  </KeysDialog>
)
