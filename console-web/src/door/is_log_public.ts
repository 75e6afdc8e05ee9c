// Whether the operator has opened the public log to everybody, as the server wrote into the page.

export const isLogPublic = (): boolean =>
  document.querySelector('meta[name="public-log"]')?.getAttribute('content') === 'on'
