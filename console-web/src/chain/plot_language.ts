// The library of the plots formats numbers in the browser's language as soon as it is loaded, and fails where that is
// no language tag, e.g. `en-US@posix`. English takes its place then.

try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
