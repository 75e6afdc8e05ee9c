// A style sheet imported by a lazily loaded page: the bundler makes a file of it, loaded with that page.
declare module '*.css'

// A file that is handed out as it is: the bundler copies it and gives its address.
declare module '*?url' {
  const address: string
  export default address
}
