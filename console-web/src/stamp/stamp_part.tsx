// The first part of the first page of somebody who is signed in: where a file is dropped. New items have a page of their own.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { givenFiles } from '../data/given_files.ts'
import { lazyPart } from '../ui/load/lazy.tsx'
import { hasUnstamped, keepStamp, keptReceipt } from './door_stamp.ts'
import { StampPlace } from './stamp_place.tsx'

const Stamped = lazyPart(async () => (await import('./stamped.tsx')).Stamped)

const NEW_ITEMS = '/items/new'

export const StampPart = ({ size }: { size: 'large' | 'small' }) => {
  const [, navigate] = useLocation()
  /** What was stamped before the sign-in: nobody else has its receipt. */
  const [stamped, setStamped] = useState(keptReceipt)
  useEffect(() => {
    if (hasUnstamped()) navigate(NEW_ITEMS, { replace: true })
  }, [navigate])
  return (
    <StampPlace
      size={size}
      onFiles={(files) => {
        givenFiles.write(files)
        navigate(NEW_ITEMS)
      }}
    >
      {stamped === null ? null : (
        <div className="card stamp-card">
          <Stamped
            {...stamped}
            onAnother={() => {
              keepStamp(null)
              setStamped(null)
            }}
          />
        </div>
      )}
    </StampPlace>
  )
}
