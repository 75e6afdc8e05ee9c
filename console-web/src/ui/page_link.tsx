// A link to a page of the console that stays inside the app, and still is a link (new tab, copy address).
import type { AnchorHTMLAttributes } from 'react'
import { goTo } from '../data/address.ts'

export const isPlainClick = (event: React.MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

type PageLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

export const PageLink = ({ to, ...rest }: PageLinkProps) => (
  <a
    {...rest}
    href={to}
    onClick={(event) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      goTo(to)
    }}
  />
)
