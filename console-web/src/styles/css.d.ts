// A style sheet imported by a lazily loaded page: the bundler makes a file of it, loaded with that page.
declare module '*.css'
