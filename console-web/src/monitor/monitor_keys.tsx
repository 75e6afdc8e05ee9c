// The keyboard keys of the monitor.
import { type KeyHelp, KeysDialog } from '../ui/keys_dialog.tsx'

const keys: readonly KeyHelp[] = [
  [['j', '↓'], 'older row'],
  [['k', '↑'], 'newer row'],
  [['Home'], 'newest row'],
  [['End'], 'oldest row'],
  [['Enter'], 'open the row'],
  [['Esc'], 'close it'],
  [['p'], 'pause and go on; in the list the space bar, too'],
  [['?'], 'this help'],
]

export const MonitorKeys = ({ onClose }: { onClose: () => void }) => (
  <KeysDialog keys={keys} onClose={onClose} />
)
