// What becomes of files that are dropped on a page that has no place for them: a proof is checked, everything else gets a
// timestamp.
import { useLocation } from 'wouter'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { givenFiles } from '../hashing/given_files.ts'
import { proofsAmong } from '../hashing/looks_like_proof.ts'
import { DropVeil } from '../hashing/window_drop.tsx'
import { handedOver } from '../proofs/handed_over.ts'
import { droppedFiles } from '../ui/dropped_files.ts'
import { DROP_WORDS } from './drop_area.tsx'

/** As many as new items take at once. */
const MOST_FILES = 250

export const DropAnywhere = () => {
  const [, navigate] = useLocation()
  const isSignedIn = useConsoleIfSignedIn() !== null
  const take = async (transfer: DataTransfer): Promise<void> => {
    const { files } = await droppedFiles(transfer, MOST_FILES)
    if (files.length === 0) return
    const proofs = await proofsAmong(files.slice(0, 2))
    if (proofs.length > 0) {
      handedOver.write(files.slice(0, 2))
      navigate('/verify')
      return
    }
    givenFiles.write(files)
    navigate(isSignedIn && files.length > 1 ? '/items/new' : '/')
  }
  return <DropVeil otherwise={{ ...DROP_WORDS, take: (transfer) => void take(transfer) }} />
}
