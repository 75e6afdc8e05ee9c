// What becomes of files that are dropped where nothing else takes them: the first page has a place for them, which tells what
// they are. From any other page a proof goes to be checked, and everything else gets a timestamp.
import { useLocation } from 'wouter'
import { givenFiles, handedOver } from '../data/given_files.ts'
import { isToCheck } from '../hashing/looks_like_proof.ts'
import { DropVeil } from '../hashing/window_drop.tsx'
import { droppedFiles } from '../ui/dropped_files.ts'

/** Once, around all pages: where there is none, the browser leaves the page to show the file. */
export const DropAnywhere = ({ isSignedIn }: { isSignedIn: boolean }) => {
  const [path, navigate] = useLocation()
  const take = async (transfer: DataTransfer): Promise<void> => {
    const files = await droppedFiles(transfer)
    if (files.length === 0) return
    if (path === '/') return givenFiles.write(files)
    if (await isToCheck(files)) {
      handedOver.write({ files })
      return navigate('/verify')
    }
    givenFiles.write(files)
    navigate(isSignedIn && files.length > 1 ? '/items/new' : '/')
  }
  return (
    <DropVeil
      words="Drop it: get a timestamp"
      note="Only its fingerprint leaves this computer. A proof is checked instead."
      take={take}
    />
  )
}
