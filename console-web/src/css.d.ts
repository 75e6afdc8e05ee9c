// A style sheet imported by a lazily loaded page. The bundler writes it to a file that loads with the page.
declare module '*.css'

// A file served unchanged. The bundler copies it and returns its address.
declare module '*?url' {
  const address: string
  export default address
}

// The text of a file, which the bundler puts into the code that imports it.
declare module '*?raw' {
  const text: string
  export default text
}
