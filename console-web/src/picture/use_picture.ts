// The picture of the signed-in visit. What it has read stays while other pages are shown.
import { useEffect, useMemo } from 'react'
import { useChain } from '../chain/chain_context.ts'
import type { Api } from '../data/api_client.ts'
import { useConsole } from '../data/console_context.ts'
import { PictureFeed } from './picture_feed.ts'

const pictures = new WeakMap<Api, PictureFeed>()

export const usePicture = (): PictureFeed => {
  const { api, live, clockOffset } = useConsole()
  const { feed } = useChain()
  const picture = useMemo(() => {
    const held = pictures.get(api) ?? new PictureFeed({ api, live, feed, clockOffset })
    pictures.set(api, held)
    return held
  }, [api, live, feed, clockOffset])
  useEffect(() => picture.attach(), [picture])
  return picture
}
