// The nonce of the page. The content security policy allows a library's style elements only with this nonce.
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// A dialog locks scrolling with a style element. Its library looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
