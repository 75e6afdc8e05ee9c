// What stands below the last row: more to come, the beginning of the chain, or why it ends here.
import type { OlderPages } from '../beacons/beacon_feed.ts'
import { MAX_ROWS } from '../beacons/beacon_list.ts'
import { count } from '../format_time.ts'

export const OlderLine = ({ older, onOlder }: { older: OlderPages; onOlder: () => void }) => (
  <p className="older-line" data-kind={older.kind}>
    {wordsFor(older)}
    {older.kind === 'failed' && (
      <button type="button" className="text-button" onClick={onOlder}>
        Try again
      </button>
    )}
  </p>
)

const wordsFor = (older: OlderPages): string => {
  switch (older.kind) {
    case 'end':
      return 'The genesis block: here the chain begins.'
    case 'bounded':
      return `This page keeps the newest ${count(MAX_ROWS)} beacons; older ones stay in the ledger.`
    case 'failed':
      return `Older beacons could not be loaded: ${older.why} `
    case 'loading':
    case 'idle':
    case 'unknown':
      return 'Loading older beacons…'
    default:
      return older satisfies never
  }
}
