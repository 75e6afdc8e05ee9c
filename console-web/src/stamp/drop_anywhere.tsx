// What becomes of files that are dropped on a page that has no place for them: a proof is checked, everything else gets a
// timestamp.
import { useLocation } from 'wouter'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { givenFiles, handedOver, MOST_FILES } from '../data/given_files.ts'
import { toCheck } from '../hashing/looks_like_proof.ts'
import { DropVeil } from '../hashing/window_drop.tsx'
import { droppedFiles } from '../ui/dropped_files.ts'
import { DROP_WORDS } from './stamp_place.tsx'

export const DropAnywhere = () => {
  const [, navigate] = useLocation()
  const isSignedIn = useConsoleIfSignedIn() !== null
  const take = async (transfer: DataTransfer): Promise<void> => {
    const { files } = await droppedFiles(transfer, MOST_FILES)
    if (files.length === 0) return
    const found = await toCheck(files)
    if (found !== null) {
      handedOver.write(found)
      navigate('/verify')
      return
    }
    givenFiles.write(files)
    navigate(isSignedIn && files.length > 1 ? '/items/new' : '/')
  }
  return <DropVeil otherwise={{ ...DROP_WORDS, take: (transfer) => void take(transfer) }} />
}
