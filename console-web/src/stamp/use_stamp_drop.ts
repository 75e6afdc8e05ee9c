// What the drop area of the first page does with what it is given, wherever on the page that was dropped: a proof is
// checked, with the file that it is about when that came along or was there before.
import { useCallback, useEffect, useState } from 'react'
import { MOST_FILES, takeGiven } from '../hashing/given_files.ts'
import { toCheck } from '../hashing/looks_like_proof.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { droppedFiles } from '../ui/dropped_files.ts'
import { DROP_WORDS } from './drop_area.tsx'

type StampDrop = {
  /** The proof and what came with it, to be checked. Null when a timestamp is wanted. */
  readonly checked: readonly File[] | null
  readonly take: (files: readonly File[]) => void
  readonly endCheck: () => void
}

export const useStampDrop = (onFiles: (files: readonly File[]) => void): StampDrop => {
  const [checked, setChecked] = useState<readonly File[] | null>(null)
  const take = useCallback(
    (files: readonly File[]): void => {
      if (files.length === 0) return
      void toCheck(files).then((found) => {
        if (found !== null) setChecked(found)
        else onFiles(files)
      })
    },
    [onFiles],
  )
  useWindowDrop({
    ...DROP_WORDS,
    // While something is checked, its own part takes what is dropped.
    take: (transfer) => void droppedFiles(transfer, MOST_FILES).then(({ files }) => take(files)),
  })
  useEffect(() => take(takeGiven()), [take])
  return { checked, take, endCheck: useCallback(() => setChecked(null), []) }
}
