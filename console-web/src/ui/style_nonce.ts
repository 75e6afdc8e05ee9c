// The nonce of the page, under which its policy allows style elements that a library makes.
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// The lock that a dialog puts on scrolling is a style element too; its library looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
