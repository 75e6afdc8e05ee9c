// What the operator has opened to everybody, as the server wrote it into the page.

/** `log`: the public log. `stamp`: timestamps without an account. */
type Opened = 'log' | 'stamp'

export const isOpenToAll = (what: Opened): boolean =>
  document.querySelector('meta[name="open-to-all"]')?.getAttribute('content')?.split(' ').includes(what) ===
  true
